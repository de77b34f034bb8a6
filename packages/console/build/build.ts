import { globSync, readFileSync, writeFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "vite";
import type { ListedFile } from "./files.ts";
import { htmlParts } from "./html-parts.ts";
import { referenceDocuments } from "./reference-documents.ts";
import { scalar } from "./scalar.ts";

const root = fileURLToPath(new URL("../src", import.meta.url));

/** The pages: path in the URL, source, and whether it needs inline styles. */
const pages = [
  { path: "/", name: "index.html", inlineStyles: false },
  { path: "/settings", name: "settings.html", inlineStyles: false },
  // Scalar sets style attributes and adds style elements.
  { path: "/docs", name: "docs.html", inlineStyles: true },
  { path: "/docs/clauses", name: "clauses.html", inlineStyles: false },
];

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
};

/** Below this size, in bytes, compression costs more than it saves. */
const compressFrom = 1_024;

/** Builds all files into a folder, with a list of them in `files.json`. */
export async function buildInto(folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: "warn",
    plugins: [htmlParts(), referenceDocuments(), scalar()],
    oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
    build: {
      outDir: folder,
      emptyOutDir: false,
      target: "baseline-widely-available",
      // Its code would be one more inline script.
      modulePreload: { polyfill: false },
      // Nothing may become a data: URL, which the content security policy refuses.
      assetsInlineLimit: 0,
      rolldownOptions: { input: pages.map(({ name }) => join(root, name)) },
    },
  });
  const assets = globSync("assets/**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const listed = [
    ...pages.map(({ path, name, inlineStyles }) => list(folder, name, { path, kind: "page", inlineStyles })),
    ...assets.map((name) => list(folder, name, { path: `/${name}`, kind: "asset", inlineStyles: false })),
  ];
  writeFileSync(join(folder, "files.json"), JSON.stringify(await Promise.all(listed)));
}

async function list(
  folder: string,
  name: string,
  entry: Pick<ListedFile, "path" | "kind" | "inlineStyles">,
): Promise<ListedFile> {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`${name} has a type that the build does not know. Add it to types.`);
  return { ...entry, type, variants: { identity: name, ...(await compress(folder, name)) } };
}

async function compress(folder: string, name: string): Promise<{ br: string; gzip: string } | undefined> {
  const content = readFileSync(join(folder, name));
  if (content.length < compressFrom) return undefined;
  // Quality 9 is within 4 percent of 11, which takes ten times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(content, { params }),
    promisify(gzip)(content, { level: 9 }),
  ]);
  writeFileSync(join(folder, `${name}.br`), br);
  writeFileSync(join(folder, `${name}.gz`), gz);
  return { br: `${name}.br`, gzip: `${name}.gz` };
}
