// What earlier releases promised, and this one has to keep.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { previousFile, previousFiles } from "./previous.ts";
import { pnpm, repository } from "./repository.ts";

const requirements = "packages/conformance/requirements";

/** Whether the contract keeps what the last released one promised (C-VER-1). The test of the contract says what breaks. */
export function checkContract(): string[] {
  try {
    // The rest of the file tests the comparison itself, which is not a matter of a release.
    const tests = ["test/compatibility.test.ts", "-t", "the contract breaks nothing|every correction excuses"];
    pnpm("--filter", "@project-feedback/spec", "exec", "vitest", "run", ...tests);
    return [];
  } catch {
    return ["The contract breaks the released one, as the test above says. Undo these changes, or put them into a v2."];
  }
}

/** Whether no set of required checks grew since it was released: a deployment that conformed must still conform. */
export function checkRequirements(): string[] {
  return previousFiles(requirements).flatMap((path) => {
    const file = join(repository, path);
    if (!existsSync(file)) return [`${path} was released, and is gone. Restore it.`];
    const released: { checks: string[] } = JSON.parse(previousFile(path));
    const current: { checks: string[] } = JSON.parse(readFileSync(file, "utf8"));
    return current.checks
      .filter((check) => !released.checks.includes(check))
      .map((check) => `${path} was released without ${check}. Put the check into a new set.`);
  });
}
