import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { digestOf, type KeyRecord, newKey, prefixOf } from "../domain/key.ts";
import { newId } from "../service.ts";
import { AccountRecords } from "../store/account-records.ts";
import { CommandError } from "./command-error.ts";
import { withDatabase } from "./database.ts";
import { print, table } from "./output.ts";

interface Format {
  readonly json?: boolean;
}

/**
 * A new key for an account; while that is `disabled`, the key does not work. The key itself is in what is returned, and
 * nowhere else (S-AUTH-3, C-KEY-1).
 */
export async function createKey(
  accounts: AccountRecords,
  accountId: string,
  name: string,
): Promise<{ record: KeyRecord; key: string; disabled: boolean }> {
  const account = await accounts.find(accountId);
  if (!account) {
    throw new CommandError(`There is no account ${accountId}. List them with: project-feedback accounts list`);
  }
  const key = newKey();
  const record: KeyRecord = {
    id: newId("key"),
    accountId,
    name,
    prefix: prefixOf(key),
    createdAt: new Date(),
    lastUsedAt: null,
    revokedAt: null,
  };
  await accounts.insertKey(record, digestOf(key));
  return { record, key, disabled: account.disabled };
}

function requireKey(record: KeyRecord | null, id: string): KeyRecord {
  if (record) return record;
  throw new CommandError(`There is no key with the id ${id}. List them with: project-feedback keys list`);
}

/** `keys create|list|revoke|rotate` (C-KEY-1, C-KEY-2). */
export function addKeys(program: Command): void {
  const keys = program.command("keys").description("API keys. A key is shown once, when it is made.");
  const onAccounts = <Result>(work: (records: AccountRecords) => Promise<Result>) =>
    withDatabase(readConfig(process.env), (database) => work(new AccountRecords(database)));
  type Created = Awaited<ReturnType<typeof createKey>>;
  const made = ({ record, key }: Created) => ({
    id: record.id,
    key,
    accountId: record.accountId,
    name: record.name,
    createdAt: record.createdAt,
  });
  const showOnce = ({ record, key, disabled }: Created) => [
    key,
    "Keep it now: it is not shown again.",
    ...(disabled
      ? [`Its account is disabled. The key works after: project-feedback accounts enable ${record.accountId}`]
      : []),
  ];

  keys
    .command("create")
    .description("Make a key for an account and show it, this once.")
    .requiredOption("--account <id>", "id of the account")
    .option("--name <name>", "what the key is for", "")
    .option("--json", "print JSON: {id, key, accountId, name, createdAt}")
    .addHelpText(
      "after",
      "\nExample:\n  project-feedback keys create --account acc_6920a1b2c3d4e5f601234569 --name laptop --json",
    )
    .action(async ({ account, name, json }: { account: string; name: string } & Format) => {
      const created = await onAccounts((records) => createKey(records, account, name));
      print(json, made(created), () => [`Key ${created.record.id}:`, ...showOnce(created)]);
    });

  keys
    .command("list")
    .description("List keys, oldest first: never the keys themselves.")
    .option("--account <id>", "only those of this account")
    .option("--json", "print JSON: [{id, accountId, name, prefix, createdAt, lastUsedAt, revokedAt}]")
    .addHelpText("after", "\nExample:\n  project-feedback keys list --account acc_6920a1b2c3d4e5f601234569")
    .action(async ({ account, json }: { account?: string } & Format) => {
      const all = await onAccounts((records) => records.listKeys(account));
      const when = (date: Date | null) => date?.toISOString() ?? "-";
      const rows = all.map(({ id, accountId, name, prefix, createdAt, lastUsedAt, revokedAt }) => ({
        ...{ id, account: accountId, begins: prefix, name, created: when(createdAt) },
        ...{ "last used": when(lastUsedAt), revoked: when(revokedAt) },
      }));
      print(json, all, () => table(rows, "There are no keys."));
    });

  keys
    .command("revoke")
    .description("Revoke a key: within 5 s it stops, on every process.")
    .argument("<key-id>", "id of the key, not the key")
    .option("--json", "print JSON: {id, accountId, name, revokedAt}")
    .addHelpText("after", "\nExample:\n  project-feedback keys revoke key_6920a1b2c3d4e5f60123456b")
    .action(async (id: string, { json }: Format) => {
      const record = requireKey(await onAccounts((records) => records.revokeKey(id, new Date())), id);
      const { accountId, name, revokedAt } = record;
      print(json, { id, accountId, name, revokedAt }, () => [`Revoked ${id}. It stops within 5 s.`]);
    });

  keys
    .command("rotate")
    .description("Make a new key in place of another, which is revoked; show the new one, this once.")
    .argument("<key-id>", "id of the key to replace, not the key")
    .option("--json", "print JSON: {id, key, accountId, name, createdAt, replaced}")
    .addHelpText("after", "\nExample:\n  project-feedback keys rotate key_6920a1b2c3d4e5f60123456b --json")
    .action(async (id: string, { json }: Format) => {
      const created = await onAccounts(async (records) => {
        const { accountId, name, revokedAt } = requireKey(await records.findKey(id), id);
        if (revokedAt) throw new CommandError(`The key ${id} is revoked already. Make a new one with keys create.`);
        const next = await createKey(records, accountId, name);
        await records.revokeKey(id, new Date());
        return next;
      });
      const lines = () => [
        `Key ${created.record.id}, in place of ${id}, which stops within 5 s:`,
        ...showOnce(created),
      ];
      print(json, { ...made(created), replaced: id }, lines);
    });
}
