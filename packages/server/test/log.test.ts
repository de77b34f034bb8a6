import { expect, test } from "vitest";
import { createLog } from "../src/cli/log.ts";
import { newKey } from "../src/domain/key.ts";
import { newSecret } from "../src/domain/secret.ts";

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

test("C-ACC-3: no log line contains a link or a session id, wherever it was logged", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  const secrets = [newSecret("pfl_"), newSecret("pfc_")];
  for (const secret of secrets) log.error({ err: new Error(secret), url: `/settings#link=${secret}` }, secret);
  expect(lines).toHaveLength(2);
  for (const secret of secrets) expect(lines.join()).not.toContain(secret.slice(4, 12));
});
