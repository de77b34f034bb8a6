import { constants } from "node:zlib";
import koaCompress from "koa-compress";
import type { Middleware } from "./context.ts";

/** Shortest response, in bytes, that is compressed: below it, compression costs more than it saves. */
const threshold = 1_024;

const library = koaCompress({
  threshold,
  // Quality 4 is nearly as small as 11, the default, at a hundredth of the time.
  br: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  deflate: false,
});

/**
 * Compresses long responses with br or gzip for clients that accept it. A compressed response has an entity tag of its
 * own, because the bytes that a strong tag stands for are other ones (RFC 9110 section 8.8.3.3).
 */
export const compress: Middleware = async (ctx, next) => {
  await library(ctx as Parameters<typeof library>[0], next);
  const encoding = ctx.response.get("Content-Encoding");
  const tag = ctx.response.get("ETag");
  if (encoding && tag) ctx.set("ETag", tag.replace(/"$/, `-${encoding}"`));
};
