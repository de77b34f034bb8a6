import { readFile } from "node:fs/promises";
import type { PageFile } from "@project-feedback/console";
import type { Context } from "./context.ts";
import { methodNotAllowed } from "./http-error.ts";
import { basePath } from "./response.ts";

/** What people see in a browser. */
export interface Pages {
  /** The files by their paths; undefined while they are being built. */
  readonly files: () => ReadonlyMap<string, PageFile> | undefined;
}

/** Sends what is at a path outside /v1, and tells whether there was something. */
export type SendPage = (ctx: Context) => Promise<boolean>;

/** Scripts, styles, images and requests of this origin alone, and no page inside another. */
const policy = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "form-action": "'self'",
  "base-uri": "'none'",
  "frame-ancestors": "'none'",
};

const headersOf = (inlineStyles: boolean) => ({
  "Content-Security-Policy": Object.entries({
    ...policy,
    ...(inlineStyles && { "style-src": "'self' 'unsafe-inline'" }),
  })
    .map((entry) => entry.join(" "))
    .join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
});
const strictHeaders = headersOf(false);
const inlineStyleHeaders = headersOf(true);

/** A year; the names of assets change with their content (RFC 8246). */
const immutable = "public, max-age=31536000, immutable";

const about = {
  name: "Project Feedback Service",
  description: "Developers publish projects, and testers submit structured feedback on them.",
  interface: basePath,
  contract: "/openapi.json",
  clauses: "/clauses.yaml",
};
const aboutPages = { settings: "/settings", reference: "/docs" };

const paths = new Set(["/", "/settings", "/docs", "/docs/clauses"]);

/** Shown for the seconds of a first start in which the pages are not there yet. It asks again by itself. */
const waiting = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>Project Feedback</title></head>
<body><h1>The pages are being built</h1><p>This takes a few seconds and happens once. If it does not end, the log of the server says why.</p></body></html>`;

/** Sends the pages and their parts. The first path tells programs, in JSON, what the service is. */
export function createSendPage(pages: Pages | undefined): SendPage {
  return async (ctx) => {
    if (ctx.path === "/") ctx.vary("Accept");
    if (ctx.path === "/" && !(pages && ctx.accepts("json", "html") === "html")) {
      allowReading(ctx);
      ctx.body = pages ? { ...about, ...aboutPages } : about;
      return true;
    }
    const files = pages?.files();
    const file = files?.get(ctx.path);
    if (file) {
      allowReading(ctx);
      await sendFile(ctx, file);
      return true;
    }
    if (!pages || files || !paths.has(ctx.path)) return false;
    allowReading(ctx);
    ctx.status = 503;
    ctx.set({ ...strictHeaders, "Retry-After": "2" });
    ctx.type = "html";
    ctx.body = waiting;
    return true;
  };
}

function allowReading({ method }: Context): void {
  if (method !== "GET" && method !== "HEAD") throw methodNotAllowed(method);
}

async function sendFile(ctx: Context, { type, kind, inlineStyles, variants }: PageFile): Promise<void> {
  ctx.set(inlineStyles ? inlineStyleHeaders : strictHeaders);
  if (kind === "asset") ctx.set("Cache-Control", immutable);
  ctx.vary("Accept-Encoding");
  const accepted = ctx.acceptsEncodings("br", "gzip", "identity");
  const coding = accepted === "br" || accepted === "gzip" ? accepted : "identity";
  const file = variants[coding] ?? variants.identity;
  if (!file) throw new Error("The list of the pages has a file without content.");
  if (file !== variants.identity) ctx.set("Content-Encoding", coding);
  ctx.body = await readFile(file);
  ctx.set("Content-Type", type);
}
