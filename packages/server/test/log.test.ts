import { expect, test } from "vitest";
import { createLog } from "../src/cli/log.ts";
import { newKey } from "../src/domain/key.ts";

test("no log line contains a key, wherever it was logged", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const [key, other] = [newKey(), newKey()];
  log.info({ key, nested: { authorization: `Bearer ${other}` }, list: [key] }, `asked with ${key}`);
  log.error({ err: new Error(`no account behind ${other}`) }, "failed");
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line).not.toContain(key.slice(8));
    expect(line).not.toContain(other.slice(8));
  }
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ key: "pfs_[secret]", msg: "asked with pfs_[secret]" });
});
