import { createHash } from "node:crypto";
import { basename } from "node:path";
import { type Artifact, pack } from "./artifact.ts";
import { checkContent, checkEngines, checkLicenses, checkSizes, checkTypes, lint } from "./checks.ts";
import { runtimePackages } from "./dependencies.ts";
import { packages } from "./packages.ts";
import { checkContract, checkRequirements } from "./promises.ts";
import { ReleaseError } from "./release-error.ts";
import { git } from "./repository.ts";
import { billOfMaterials } from "./sbom.ts";

/** What a release consists of. */
export interface Prepared {
  readonly artifacts: readonly Artifact[];
  /** File name → text: bills of materials, and the digests of all files. */
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Builds, packs and checks every package.
 * @param folder takes the tarballs; it is empty
 * @throws ReleaseError with every problem that the checks found
 */
export async function prepare(folder: string): Promise<Prepared> {
  const problems = [...checkContract(), ...checkRequirements()];
  const commitTime = new Date(git("log", "-1", "--format=%cI"));
  const artifacts: Artifact[] = [];
  const texts = new Map<string, string>();
  for (const published of packages) {
    const artifact = pack(published, folder);
    const parts = runtimePackages(artifact);
    artifacts.push(artifact);
    problems.push(...(await lint(artifact)), ...(await checkTypes(artifact)), ...checkSizes(artifact));
    problems.push(...checkContent(artifact), ...checkLicenses(artifact.name, parts), ...checkEngines(artifact, parts));
    const bill = `${basename(artifact.file, ".tgz")}.cdx.json`;
    texts.set(bill, billOfMaterials(artifact, parts, commitTime));
  }
  if (problems.length > 0) throw new ReleaseError(...problems);
  texts.set("SHA256SUMS", sumsOf(artifacts, texts));
  return { artifacts, texts };
}

/** In the format of sha256sum, so that `sha256sum -c` checks it. */
function sumsOf(artifacts: readonly Artifact[], texts: ReadonlyMap<string, string>): string {
  const sums = new Map(artifacts.map(({ file, sha256 }) => [basename(file), sha256]));
  for (const [name, text] of texts) sums.set(name, sha256Of(text));
  return [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join("");
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
