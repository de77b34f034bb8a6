import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";

/** @throws Error when the SHA-256 of the file is not the given one, in hexadecimal */
export async function requireDigest(file: string, sha256: string): Promise<void> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  const actual = hash.digest("hex");
  if (actual !== sha256) throw new Error(`the download has SHA-256 ${actual}, not the pinned ${sha256}`);
}
