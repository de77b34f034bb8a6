import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { requireDigest } from "./digest.ts";
import { runFetch } from "./run-fetch.ts";
import type { BinarySource } from "./source.ts";

const run = promisify(execFile);
const downloadProgram = fileURLToPath(new URL("./download-program.js", import.meta.url));

/** A gzipped tar archive on a web server. */
export interface Archive {
  url: string;
  /** SHA-256 of the archive, in hexadecimal. */
  sha256: string;
  /** Path of mongod in the archive. */
  member: string;
}

/** The source of an archive. Only a download with the pinned SHA-256 is opened. Needs `tar`. */
export function archiveSource(label: string, file: string, { url, sha256, member }: Archive): BinarySource {
  return {
    label,
    file,
    async fetch(folder, { env, report }) {
      const archive = join(folder, "archive.tgz");
      await runFetch({
        command: process.execPath,
        args: [downloadProgram, url, archive],
        // Node's fetch uses HTTPS_PROXY and NO_PROXY only when this is set.
        env: { ...env, NODE_USE_ENV_PROXY: "1" },
        folder,
        label,
        report,
        stallMs: 20_000,
      });
      await requireDigest(archive, sha256);
      await unpack(archive, folder, member, env);
      return join(folder, member);
    },
  };
}

async function unpack(archive: string, folder: string, member: string, env: NodeJS.ProcessEnv): Promise<void> {
  try {
    await run("tar", ["-xzf", archive, "-C", folder, member], { env });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new Error("tar is not installed", { cause: error });
  }
}
