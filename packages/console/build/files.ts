// The built files, for the server that sends them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { inputsDigest } from "./inputs.ts";

/** One file of the pages. */
export interface PageFile {
  /** Path in the URL, such as `/settings`. */
  readonly path: string;
  /** Media type, with its character set. */
  readonly type: string;
  /** Location of the file as it is, and compressed: by content coding. */
  readonly variants: Readonly<Partial<Record<"identity" | "br" | "gzip", URL>>>;
  /** A page, or a part of pages whose name changes with its content. */
  readonly kind: "page" | "asset";
  /** Whether the page needs style attributes and elements that scripts add. */
  readonly inlineStyles: boolean;
}

/** A file as the build lists it in `files.json`, by names in its folder. */
export interface ListedFile extends Omit<PageFile, "variants"> {
  readonly variants: Readonly<Partial<Record<"identity" | "br" | "gzip", string>>>;
}

/** The program that builds the files if they are not there. It needs the development dependencies of this package. */
export const buildProgram = new URL("./program.ts", import.meta.url);

const dist = new URL("../dist/", import.meta.url);

/** The folder of the files that belong to the present sources; where there are no sources, the only one there is. */
export function builtFolder(): URL {
  const digest = existsSync(new URL("../src", import.meta.url)) ? inputsDigest() : readdirSync(dist)[0];
  return new URL(`${digest}/`, dist);
}

/** The files by their paths; undefined while they are not built. */
export function readFiles(folder: URL): ReadonlyMap<string, PageFile> | undefined {
  const list = new URL("files.json", folder);
  if (!existsSync(list)) return undefined;
  const listed: readonly ListedFile[] = JSON.parse(readFileSync(list, "utf8"));
  return new Map(
    listed.map((each) => {
      const variants = Object.entries(each.variants).map(([coding, name]) => [coding, new URL(name, folder)]);
      return [each.path, { ...each, variants: Object.fromEntries(variants) }];
    }),
  );
}
