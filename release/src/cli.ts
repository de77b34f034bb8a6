// `pnpm release`: builds, checks and packs what is published.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Command } from "commander";
import type { Artifact } from "./artifact.ts";
import { prepare } from "./prepare.ts";
import { ReleaseError } from "./release-error.ts";
import { git, repository } from "./repository.ts";

const program = new Command("release")
  .description(
    "Builds, checks and packs the packages, and writes the tarballs, their bills of materials and SHA256SUMS. With --dry-run it prints what would be published, without it publishes.",
  )
  .option("--dry-run", "publish nothing")
  .option("--out <folder>", "where to write", join(repository, ".data", "release"))
  .action(async ({ dryRun, out }: { readonly dryRun?: boolean; readonly out: string }) => {
    if (!dryRun) requireTag();
    const folder = resolve(out);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const { artifacts, texts } = await prepare(folder);
    for (const [name, text] of texts) writeFileSync(join(folder, name), text);
    for (const line of table(artifacts)) console.log(line);
    if (dryRun) console.log(`Nothing was published. The files are in ${folder}.`);
    else for (const artifact of artifacts) publish(artifact);
  });

/** Only a commit that is tagged as a release is published, and only by CI, which can say where it came from. */
function requireTag(): void {
  const tags = git("tag", "--points-at", "HEAD").split("\n");
  if (!tags.some((tag) => /^v\d/.test(tag)))
    throw new ReleaseError("This commit has no tag of a release. Tag it, such as v1.2.0, or give --dry-run.");
  if (process.env.GITHUB_ACTIONS !== "true")
    throw new ReleaseError("Only the release workflow publishes, with provenance. Push the tag, or give --dry-run.");
}

/** Publishes a package, unless this version is there already: a workflow that failed in the middle can be run again. */
function publish({ file, manifest: { name, version } }: Artifact): void {
  if (isPublished(name, version)) console.log(`${name}@${version} is published already.`);
  else execFileSync("npm", ["publish", file, "--provenance", "--access", "public"], { stdio: "inherit" });
}

function isPublished(name: string, version: string): boolean {
  const { status, stdout } = spawnSync("npm", ["view", `${name}@${version}`, "version", "--json"], {
    encoding: "utf8",
  });
  if (status === 0) return stdout.trim() !== "";
  if (JSON.parse(stdout).error?.code === "E404") return false;
  throw new ReleaseError(`The registry does not say whether ${name}@${version} is published: ${stdout} Try again.`);
}

function table(artifacts: readonly Artifact[]): string[] {
  const kb = (bytes: number) => `${(bytes / 1_000).toFixed(0)} kB`.padStart(9);
  return artifacts.map(
    ({ manifest, file, bytes, unpackedBytes, sha256 }) =>
      `${manifest.name}@${manifest.version}`.padEnd(38) +
      `${kb(bytes.length)} packed ${kb(unpackedBytes)} unpacked  ${basename(file)}  ${sha256}`,
  );
}

program.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
try {
  await program.parseAsync();
} catch (error) {
  console.error(error instanceof ReleaseError ? error.message : error);
  process.exitCode = 1;
}
