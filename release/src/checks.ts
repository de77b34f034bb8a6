import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { subset } from "semver";
import type { Artifact, Bundled } from "./artifact.ts";

/** Licenses under which code may be part of a release. All permit use under Apache-2.0, with their notice. */
const permitted = /^\(?(?:MIT|ISC|BSD-[23]-Clause|0BSD|Apache-2\.0|BlueOak-1\.0\.0|Python-2\.0|Unlicense)(?:$|\)| OR )/;

/**
 * Packages that name a newer Node than a release needs, and run on the older one all the same: the test of the packages
 * uses them there.
 */
const testedOnOlderNode: readonly string[] = ["raw-body"];

/** Problems of the manifest and the files, as publint finds them; also its warnings and suggestions. */
export async function lint({ name, bytes, manifest }: Artifact): Promise<string[]> {
  const { messages } = await publint({ pack: { tarball: arrayBuffer(bytes) }, strict: true });
  return messages.map((message) => `${name}: ${formatMessage(message, manifest as never, { color: false })}`);
}

/** Wrong types, for every way in which a program may import the package. */
export async function checkTypes({ name, bytes, isImported, manifest }: Artifact): Promise<string[]> {
  if (!isImported) return [];
  const analysis = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
  if (!analysis.types) return [`${name} has no types. Build them.`];
  const isModule = !JSON.stringify((manifest as { exports?: unknown }).exports).includes('"require"');
  // An ES module that an old `require` cannot load, or a resolution that knows no `exports`, is no fault of a package
  // that only has ES modules.
  const ignored = isModule ? ["node10", "node16-cjs"] : [];
  return analysis.problems
    .filter((problem) => !("resolutionKind" in problem && ignored.includes(problem.resolutionKind)))
    .map((problem) => `${name}: the types are wrong: ${JSON.stringify(problem)}`);
}

export function checkSizes({ name, bytes, unpackedBytes, limits }: Artifact): string[] {
  const sizes = { packed: bytes.length, unpacked: unpackedBytes };
  return (["packed", "unpacked"] as const)
    .filter((each) => sizes[each] > limits[each])
    .map(
      (each) =>
        `${name} has ${sizes[each]} bytes ${each}, more than ${limits[each]}. Remove something, or raise the limit in release/src/packages.ts.`,
    );
}

export function checkLicenses(name: string, packages: readonly Bundled[]): string[] {
  return packages
    .filter(({ license }) => !permitted.test(license))
    .map((each) => `${name} contains ${each.name} ${each.version} under ${each.license}. Replace it.`);
}

/** Whether each package that runs with a release runs on every Node that the release promises. */
export function checkEngines({ name, manifest }: Artifact, packages: readonly Bundled[]): string[] {
  return packages
    .filter((each) => each.node !== undefined && !testedOnOlderNode.includes(each.name))
    .filter(({ node = "*" }) => !subset(manifest.engines.node, node))
    .map(
      (each) =>
        `${name} promises Node ${manifest.engines.node}, and ${each.name} ${each.version} needs ${each.node}. Use another version.`,
    );
}

/** Neither tests nor the path of this machine's clone belong into a package. */
export function checkContent({ name, files, filesWithPath }: Artifact): string[] {
  const stray = files.filter((file) => /(?:^|\/)(?:node_modules|test|\.env|\.npmrc)(?:\/|$)|\.test\./.test(file));
  return [
    ...stray.map((file) => `${name} contains ${file}. Leave it out.`),
    ...filesWithPath.map((file) => `${name} has the path of this clone in ${file}. Make it relative.`),
  ];
}

function arrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
