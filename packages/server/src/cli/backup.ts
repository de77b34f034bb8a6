import { once } from "node:events";
import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { access, rm } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { Command } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { readConfig } from "../config.ts";
import { BackupError, backUp, restore } from "../store/backup.ts";
import type { Database } from "../store/database.ts";
import { CommandError } from "./command-error.ts";
import { withDatabase } from "./database.ts";
import { print } from "./output.ts";

interface Format {
  readonly json?: boolean;
}

type Contents = Readonly<Record<string, number>>;

const total = (contents: Contents) => Object.values(contents).reduce((sum, each) => sum + each, 0);
const linesOf = (contents: Contents) =>
  Object.entries(contents).map(([name, records]) => `  ${name.padEnd(16)} ${records}`);

/** `backup` and `restore`: all records, as they were at one point in time. */
export function addBackup(program: Command): void {
  program
    .command("backup")
    .description("Write all records, as they are at one point in time, into a file, while the server runs.")
    .requiredOption("--out <file>", "file to write, which must not exist")
    .option("--json", "print JSON: {file, records: {projects, …}}")
    .addHelpText("after", "\nExample:\n  project-feedback backup --out feedback.backup")
    .action(async ({ out, json }: { out: string } & Format) => {
      const records = await withBackup((database) => writeFile(database, out));
      print(json, { file: out, records }, () => [`Wrote ${total(records)} records to ${out}:`, ...linesOf(records)]);
    });

  program
    .command("restore")
    .description("Write the records of a backup into an empty database, while no server uses it.")
    .requiredOption("--from <file>", "file that backup wrote")
    .option("--json", "print JSON: {file, records: {projects, …}}")
    .addHelpText("after", "\nExample:\n  project-feedback restore --from feedback.backup")
    .action(async ({ from, json }: { from: string } & Format) => {
      await requireReadable(from);
      const records = await withBackup((database) =>
        restore(database, () => createReadStream(from).pipe(createGunzip())),
      );
      print(json, { file: from, records }, () => [
        `Restored ${total(records)} records:`,
        ...linesOf(records),
        "Check them with: project-feedback counts verify",
      ]);
    });
}

/** @throws CommandError for a backup that failed, or a restore that was refused */
function withBackup(work: (database: Database) => Promise<Contents>): Promise<Contents> {
  return withDatabase(readConfig(process.env), async (database) => {
    try {
      return await work(database);
    } catch (error) {
      throw error instanceof BackupError ? new CommandError(error.message, 1, error) : error;
    }
  });
}

/** Writes the backup for this user's eyes alone: it has the names of accounts, and the digests of keys. */
async function writeFile(database: Database, path: string): Promise<Contents> {
  const file = await create(path);
  try {
    const gzip = createGzip({ level: 1 });
    const written = pipeline(gzip, file);
    const write = (bytes: Uint8Array) =>
      new Promise<void>((resolve, reject) => gzip.write(bytes, (error) => (error ? reject(error) : resolve())));
    const work = backUp(database, manifest.version, write).then((contents) => {
      gzip.end();
      return contents;
    });
    // A disk that is full fails the pipeline, and then nothing takes the next bytes.
    const [contents] = await Promise.all([work, written]);
    return contents;
  } catch (error) {
    file.destroy();
    await rm(path, { force: true });
    throw fileError(path, error, "written", "Choose another place for --out.");
  }
}

/** Opens a new file, which is on the disk when it is closed. */
async function create(path: string): Promise<WriteStream> {
  try {
    const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
    await once(file, "open");
    return file;
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    if (isThere) throw new CommandError(`${path} exists. Choose another file for --out, or remove it.`, 2, error);
    throw fileError(path, error, "written", "Choose another place for --out.");
  }
}

async function requireReadable(path: string): Promise<void> {
  try {
    await access(path);
  } catch (error) {
    throw fileError(path, error, "read", "Name a file that backup wrote.");
  }
}

function fileError(path: string, error: unknown, what: string, remedy: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new CommandError(`${path} cannot be ${what} (${code}). ${remedy}`, 1, error);
}
