import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PublishedPackage } from "./packages.ts";
import { pnpm, repository } from "./repository.ts";

/** The manifest of a package, as far as it is read here. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly description: string;
  readonly engines: { readonly node: string };
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** A package whose code is inside of another. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Range of Node that it says it needs. */
  readonly node?: string;
}

/** A packed package. */
export interface Artifact extends PublishedPackage {
  /** Path of the tarball. */
  readonly file: string;
  readonly bytes: Buffer;
  /** In hexadecimal. */
  readonly sha256: string;
  readonly unpackedBytes: number;
  /** Paths in the tarball. */
  readonly files: readonly string[];
  /** Those of them that contain the path of this repository. */
  readonly filesWithPath: readonly string[];
  readonly manifest: Manifest;
  /** What its `bundled.json` lists. */
  readonly bundled: readonly Bundled[];
}

/** Builds a package and packs it into a folder. */
export function pack(published: PublishedPackage, into: string): Artifact {
  pnpm("--filter", published.name, "build");
  const before = new Set(readdirSync(into));
  pnpm("--filter", published.name, "--config.ignore-scripts=true", "pack", "--pack-destination", into);
  const name = readdirSync(into).find((each) => !before.has(each) && each.endsWith(".tgz"));
  if (name === undefined) throw new Error(`pnpm packed ${published.name} into no new file of ${into}.`);
  return open(published, join(into, name));
}

/** Reads a tarball. */
function open(published: PublishedPackage, file: string): Artifact {
  const bytes = readFileSync(file);
  const folder = mkdtempSync(join(tmpdir(), "project-feedback-release-"));
  try {
    execFileSync("tar", ["-xzf", file, "-C", folder]);
    const content = join(folder, "package");
    const files = readdirSync(content, { recursive: true, encoding: "utf8" })
      .filter((each) => statSync(join(content, each)).isFile())
      .sort();
    const read = (path: string) => JSON.parse(readFileSync(join(content, path), "utf8"));
    return {
      ...published,
      ...{ file, bytes, files },
      sha256: createHash("sha256").update(bytes).digest("hex"),
      unpackedBytes: files.reduce((sum, each) => sum + statSync(join(content, each)).size, 0),
      filesWithPath: files.filter((each) => readFileSync(join(content, each)).includes(repository)),
      manifest: read("package.json"),
      bundled: files.includes("bundled.json") ? read("bundled.json") : [],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
