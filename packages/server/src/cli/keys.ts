import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { DomainError } from "../domain/errors.ts";
import { endOfReplaced, type KeyRecord, maxKeepDays, maxKeyDays, maxNameLength, replaceKey } from "../domain/key.ts";
import { digestOf } from "../domain/secret.ts";
import { newId } from "../service.ts";
import { AccountRepository } from "../store/account-repository.ts";
import type { Database } from "../store/database.ts";
import { KeyRepository } from "../store/key-repository.ts";
import { CommandError } from "./command-error.ts";
import { createKey, type ShownKey } from "./create-key.ts";
import { withDatabase } from "./database.ts";
import { print, table } from "./output.ts";

interface Format {
  readonly json?: boolean;
}

function requireKey(record: KeyRecord | null, id: string): KeyRecord {
  if (record) return record;
  throw new CommandError(`There is no key with the id ${id}. List them with: project-feedback keys list`);
}

/** A whole number of days. @throws CommandError that names the option at fault */
function daysOf(option: string, text: string, least: number, most: number): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= least && days <= most) return days;
  throw new CommandError(`${option} is "${text}". Give it a whole number of days from ${least} to ${most}.`, 2);
}

/** @throws CommandError for a name that is empty or too long */
function checkName(name: string): string {
  if (name.trim() !== "" && [...name].length <= maxNameLength) return name;
  throw new CommandError(`The name must have 1 to ${maxNameLength} characters. Give the key another one.`, 2);
}

/** Runs work whose refusal by a rule is an expected failure of the command. */
async function ruled<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    throw error instanceof DomainError ? new CommandError(error.message) : error;
  });
}

/** `keys create|list|rename|revoke|rotate` (C-KEY-1, C-KEY-2, C-KEY-3). */
export function addKeys(program: Command): void {
  const keys = program.command("keys").description("API keys. A key is shown once, when it is created.");
  const onDatabase = <Result>(work: (database: Database) => Promise<Result>) =>
    withDatabase(readConfig(process.env), work);
  const shown = ({ record, key }: ShownKey) => ({
    id: record.id,
    key,
    accountId: record.accountId,
    name: record.name,
    createdAt: record.createdAt,
    expiresAt: record.expiresAt,
  });
  const showOnce = ({ record, key, disabled }: ShownKey) => [
    key,
    "Keep it now: it is not shown again.",
    ...(record.expiresAt ? [`It expires at ${record.expiresAt.toISOString()}.`] : []),
    ...(disabled
      ? [`Its account is disabled. The key works after: project-feedback accounts enable ${record.accountId}`]
      : []),
  ];

  keys
    .command("create")
    .description("Create a key for an account and show it once.")
    .requiredOption("--account <id>", "id of the account")
    .option("--name <name>", "what the key is for", "")
    .option("--expires <days>", `days until it expires, 1 to ${maxKeyDays}; without, it does not`)
    .option("--json", "print JSON: {id, key, accountId, name, createdAt, expiresAt}")
    .addHelpText(
      "after",
      "\nExample:\n  project-feedback keys create --account acc_6920a1b2c3d4e5f601234569 --name laptop --expires 90 --json",
    )
    .action(async ({ account, name, expires, json }: { account: string; name: string; expires?: string } & Format) => {
      const days = expires === undefined ? null : daysOf("--expires", expires, 1, maxKeyDays);
      if (name !== "") checkName(name);
      const created = await onDatabase((database) => ruled(createKey(database, account, name, days)));
      print(json, shown(created), () => [`Key ${created.record.id}:`, ...showOnce(created)]);
    });

  keys
    .command("list")
    .description("List keys, oldest first, without the secrets.")
    .option("--account <id>", "only those of this account")
    .option(
      "--json",
      "print JSON: [{id, accountId, name, prefix, ending, createdAt, expiresAt, lastUsedAt, lastUsedFrom, revokedAt, replacedBy}]",
    )
    .addHelpText("after", "\nExample:\n  project-feedback keys list --account acc_6920a1b2c3d4e5f601234569")
    .action(async ({ account, json }: { account?: string } & Format) => {
      const all = await onDatabase((database) => new KeyRepository(database).list(account));
      const when = (date: Date | null) => date?.toISOString() ?? "-";
      const rows = all.map((key) => ({
        ...{ id: key.id, account: key.accountId, begins: key.prefix, ends: key.ending ?? "-", name: key.name },
        ...{ created: when(key.createdAt), expires: when(key.expiresAt), revoked: when(key.revokedAt) },
        ...{ "last used": when(key.lastUsedAt), from: key.lastUsedFrom ?? "-" },
      }));
      print(json, all, () => table(rows, "There are no keys."));
    });

  keys
    .command("rename")
    .description("Rename a key.")
    .argument("<key-id>", "id of the key, not the key")
    .argument("<name>", "what the key is for")
    .option("--json", "print JSON: {id, accountId, name}")
    .addHelpText("after", "\nExample:\n  project-feedback keys rename key_6920a1b2c3d4e5f60123456b 'build server'")
    .action(async (id: string, text: string, { json }: Format) => {
      const newName = checkName(text);
      const record = requireKey(await onDatabase((database) => new KeyRepository(database).rename(id, newName)), id);
      const { accountId, name } = record;
      print(json, { id, accountId, name }, () => [`Renamed ${id} to ${name}.`]);
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
    .description("Create a key in place of another, which is shown once. The old one can stay valid for some days.")
    .argument("<key-id>", "id of the key to replace, not the key")
    .option("--keep <days>", `days that the old key stays valid, 0 to ${maxKeepDays}`, "0")
    .option("--json", "print JSON: {id, key, accountId, name, createdAt, expiresAt, replaced, replacedUntil}")
    .addHelpText("after", "\nExample:\n  project-feedback keys rotate key_6920a1b2c3d4e5f60123456b --keep 7 --json")
    .action(async (id: string, { keep, json }: { keep: string } & Format) => {
      const days = daysOf("--keep", keep, 0, maxKeepDays);
      const { created, end } = await onDatabase((database) => ruled(rotate(database, id, days)));
      const stops = days === 0 ? "which stops working within 5 s" : `which works until ${end.toISOString()}`;
      const lines = () => [`Key ${created.record.id}, in place of ${id}, ${stops}:`, ...showOnce(created)];
      print(json, { ...shown(created), replaced: id, replacedUntil: end }, lines);
    });
}

/** Replaces a key. @returns the new one, and when the old one ends */
async function rotate(database: Database, id: string, keepDays: number): Promise<{ created: ShownKey; end: Date }> {
  const keys = new KeyRepository(database);
  const old = requireKey(await keys.find(id), id);
  const created = replaceKey(old, newId("key"), new Date());
  const end = endOfReplaced(old, keepDays, created.record.createdAt);
  await keys.replace(old, created.record, digestOf(created.key), end);
  const account = await new AccountRepository(database).find(old.accountId);
  return { created: { ...created, disabled: account?.disabled ?? false }, end };
}
