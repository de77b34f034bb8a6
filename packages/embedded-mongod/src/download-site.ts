import { fileURLToPath } from "node:url";
import type { BinarySource } from "./binary-source.ts";
import { runFetch } from "./fetch-program.ts";

/**
 * Of 11 August 2026. 7.0, because it opens the data of 6.0 (the other source) and because 8.0 refuses to start on Linux
 * 6.19 to 7.0.13 (its release notes).
 */
const version = "7.0.40";
const label = `mongod ${version} from the MongoDB download site`;

/** MongoDB's own builds, by mongodb-memory-server-core. Behind many firewalls the site can't be reached. */
export const downloadSite: BinarySource = {
  label,
  file: `mongod-${version}`,
  async fetch(into, { env, report }) {
    const stdout = await runFetch({
      command: process.execPath,
      args: [fileURLToPath(new URL("./download-site-program.ts", import.meta.url)), version, into],
      env: {
        // The library verifies TLS only when it finds this; checksums from an unverified site would prove nothing.
        npm_config_strict_ssl: "true",
        ...env,
        MONGOMS_DOWNLOAD_DIR: into,
        MONGOMS_RUNTIME_DOWNLOAD: "true",
        MONGOMS_MD5_CHECK: "true",
        MONGOMS_MAX_RETRIES: "1",
        MONGOMS_SYSTEM_BINARY: "",
      },
      into,
      label,
      report,
      stallMs: 20_000,
    });
    const path = stdout.trim().split("\n").at(-1);
    if (path === undefined || path === "") throw new Error("the library named no binary");
    return path;
  },
};
