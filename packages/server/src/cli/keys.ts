import type { Command } from "commander";
import { readConfig } from "../config.ts";
import type { KeyRecord } from "../domain/key.ts";
import type { Database } from "../store/database.ts";
import { KeyRepository } from "../store/key-repository.ts";
import { CommandError } from "./command-error.ts";
import { type CreatedKey, createKey } from "./create-key.ts";
import { withDatabase } from "./database.ts";
import { print, table } from "./output.ts";

interface Format {
  readonly json?: boolean;
}

function requireKey(record: KeyRecord | null, id: string): KeyRecord {
  if (record) return record;
  throw new CommandError(`There is no key with the id ${id}. List them with: project-feedback keys list`);
}

/** `keys create|list|revoke|rotate` (C-KEY-1, C-KEY-2). */
export function addKeys(program: Command): void {
  const keys = program.command("keys").description("API keys. A key is shown once, when it is created.");
  const onDatabase = <Result>(work: (database: Database) => Promise<Result>) =>
    withDatabase(readConfig(process.env), work);
  const shown = ({ record, key }: CreatedKey) => ({
    id: record.id,
    key,
    accountId: record.accountId,
    name: record.name,
    createdAt: record.createdAt,
  });
  const showOnce = ({ record, key, disabled }: CreatedKey) => [
    key,
    "Keep it now: it is not shown again.",
    ...(disabled
      ? [`Its account is disabled. The key works after: project-feedback accounts enable ${record.accountId}`]
      : []),
  ];

  keys
    .command("create")
    .description("Create a key for an account and show it once.")
    .requiredOption("--account <id>", "id of the account")
    .option("--name <name>", "what the key is for", "")
    .option("--json", "print JSON: {id, key, accountId, name, createdAt}")
    .addHelpText(
      "after",
      "\nExample:\n  project-feedback keys create --account acc_6920a1b2c3d4e5f601234569 --name laptop --json",
    )
    .action(async ({ account, name, json }: { account: string; name: string } & Format) => {
      const created = await onDatabase((database) => createKey(database, account, name));
      print(json, shown(created), () => [`Key ${created.record.id}:`, ...showOnce(created)]);
    });

  keys
    .command("list")
    .description("List keys, oldest first, without the secrets.")
    .option("--account <id>", "only those of this account")
    .option("--json", "print JSON: [{id, accountId, name, prefix, createdAt, lastUsedAt, revokedAt}]")
    .addHelpText("after", "\nExample:\n  project-feedback keys list --account acc_6920a1b2c3d4e5f601234569")
    .action(async ({ account, json }: { account?: string } & Format) => {
      const all = await onDatabase((database) => new KeyRepository(database).list(account));
      const when = (date: Date | null) => date?.toISOString() ?? "-";
      const rows = all.map(({ id, accountId, name, prefix, createdAt, lastUsedAt, revokedAt }) => ({
        ...{ id, account: accountId, begins: prefix, name, created: when(createdAt) },
        ...{ "last used": when(lastUsedAt), revoked: when(revokedAt) },
      }));
      print(json, all, () => table(rows, "There are no keys."));
    });

  keys
    .command("revoke")
    .description("Revoke a key. It stops working within 5 s on every process.")
    .argument("<key-id>", "id of the key, not the key")
    .option("--json", "print JSON: {id, accountId, name, revokedAt}")
    .addHelpText("after", "\nExample:\n  project-feedback keys revoke key_6920a1b2c3d4e5f60123456b")
    .action(async (id: string, { json }: Format) => {
      const record = requireKey(await onDatabase((database) => new KeyRepository(database).revoke(id, new Date())), id);
      const { accountId, name, revokedAt } = record;
      print(json, { id, accountId, name, revokedAt }, () => [`Revoked ${id}. It stops working within 5 s.`]);
    });

  keys
    .command("rotate")
    .description("Revoke a key and create a new one in its place, which is shown once.")
    .argument("<key-id>", "id of the key to replace, not the key")
    .option("--json", "print JSON: {id, key, accountId, name, createdAt, replaced}")
    .addHelpText("after", "\nExample:\n  project-feedback keys rotate key_6920a1b2c3d4e5f60123456b --json")
    .action(async (id: string, { json }: Format) => {
      const created = await onDatabase(async (database) => {
        const keyRepository = new KeyRepository(database);
        const { accountId, name, revokedAt } = requireKey(await keyRepository.find(id), id);
        if (revokedAt)
          throw new CommandError(
            `The key ${id} is revoked already. Create a new one with: project-feedback keys create`,
          );
        const next = await createKey(database, accountId, name);
        await keyRepository.revoke(id, new Date());
        return next;
      });
      const lines = () => [
        `Key ${created.record.id}, in place of ${id}, which stops working within 5 s:`,
        ...showOnce(created),
      ];
      print(json, { ...shown(created), replaced: id }, lines);
    });
}
