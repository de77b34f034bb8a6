import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A package whose code is in the bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Range of Node that it says it needs; undefined where it says nothing. */
  readonly node: string | undefined;
  /** Text of its license. */
  readonly text: string;
}

/**
 * The packages of some modules, by name.
 * @param modules paths of modules; those outside of node_modules belong to this repository
 * @throws Error for a package without a license
 */
export function packagesOf(modules: readonly string[]): BundledPackage[] {
  const folders = new Set(modules.filter((path) => path.includes("node_modules")).map(folderOf));
  const packages = [...folders].map(read);
  const byVersion = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]));
  return [...byVersion.values()].sort((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

/** The licenses of bundled packages, as their authors ask for. */
export function noticesOf(packages: readonly BundledPackage[]): string {
  const notices = packages.map(({ name, version, license, text }) => `${name} ${version} (${license})\n\n${text}\n`);
  const rule = `\n${"-".repeat(80)}\n\n`;
  return ["The bundle in lib contains these packages, each under its own license.\n", ...notices].join(rule);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The folder of the package that a module belongs to: a manifest further down may only say what type of module it is. */
function folderOf(path: string): string {
  const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (folder === undefined) throw new Error(`${path} belongs to no package.`);
  return folder;
}

function read(folder: string): BundledPackage {
  const { name, version, license, engines } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (typeof license !== "string") throw new Error(`${name}@${version} names no license. Replace it.`);
  const text = file === undefined ? textInReadme(folder) : readFileSync(join(folder, file), "utf8").trim();
  if (text === undefined) throw new Error(`${name}@${version} has no text of its license. Replace it.`);
  return { name, version, license, node: engines?.node, text };
}

/** Some packages have the text of their license in the readme alone. */
function textInReadme(folder: string): string | undefined {
  const file = readdirSync(folder).find((each) => /^readme/i.test(each));
  if (file === undefined) return undefined;
  return /^#+ licen[cs]e\b.*/ims.exec(readFileSync(join(folder, file), "utf8"))?.[0].trim();
}
