import { expect, test } from "vitest";
import { openCheckout } from "../src/checkout.ts";
import { BenchError } from "../src/run-program.ts";

test.each(["no-such-commit", "--help", import.meta.dirname])(
  "a comparison with %s is refused with a sentence on what to give",
  async (wanted) => {
    const opening = openCheckout(wanted, () => undefined);
    await expect(opening).rejects.toThrow(BenchError);
    await expect(opening).rejects.toThrow("is neither a checkout nor a commit");
  },
);
