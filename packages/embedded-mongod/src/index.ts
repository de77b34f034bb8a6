export { type Database, type EmbeddedOptions, openEmbedded } from "./embedded.ts";
export { EmbeddedError } from "./embedded-error.ts";
export { findMongod } from "./mongod-binary.ts";
export { startMongod } from "./mongod-process.ts";
export { watchOwner } from "./owner-watch.ts";
export { setName } from "./replica-set.ts";
export { openTemporary } from "./temporary.ts";
