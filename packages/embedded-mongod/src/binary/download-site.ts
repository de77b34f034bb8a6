import { fileURLToPath } from "node:url";
import { runFetch } from "./run-fetch.ts";
import type { BinarySource } from "./source.ts";

/**
 * Released on 11 August 2026. It opens the data of 6.0, which the other source has; 8.0 does not, and 8.0 does not start
 * on Linux 6.19 to 7.0.13 (see its release notes).
 */
const version = "7.0.40";
const label = `mongod ${version} from the MongoDB download site`;

/** MongoDB's own builds, fetched by mongodb-memory-server-core. Many firewalls block this site. */
export const downloadSite: BinarySource = {
  label,
  file: `mongod-${version}`,
  async fetch(folder, { env, report }) {
    const stdout = await runFetch({
      command: process.execPath,
      args: [fileURLToPath(new URL("./download-site-program.ts", import.meta.url)), version, folder],
      env: {
        // Without this, the library does not verify TLS. Checksums from an unverified site would prove nothing.
        npm_config_strict_ssl: "true",
        ...env,
        MONGOMS_DOWNLOAD_DIR: folder,
        MONGOMS_RUNTIME_DOWNLOAD: "true",
        MONGOMS_MD5_CHECK: "true",
        MONGOMS_MAX_RETRIES: "1",
        MONGOMS_SYSTEM_BINARY: "",
      },
      folder,
      label,
      report,
      stallMs: 20_000,
    });
    const path = stdout.trim().split("\n").at(-1);
    if (!path) throw new Error("the library returned no binary");
    return path;
  },
};
