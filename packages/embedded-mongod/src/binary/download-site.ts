import { type Archive, archiveSource } from "./archive.ts";
import type { BinarySource } from "./source.ts";

/**
 * MongoDB's builds for Ubuntu 22.04, which run where glibc 2.35 and OpenSSL 3 are. 7.0, because it opens the data of
 * 6.0, which the other source has: 8.0 does not, and does not start on Linux 6.19 to 7.0.13 (see its release notes).
 * The digests are those of nix packages that download the same archives.
 */
const builds: Readonly<Record<string, { version: string } & Archive>> = {
  "linux-x64": build("7.0.30", "x86_64", "2a6eb856a481a8bca47601a1ad62d26a58adf1999f1a023595de42f94f900d2a"),
  "linux-arm64": build("7.0.31", "aarch64", "57b7c472f0a40ccaa41913384b7dc964a1b3cc383731d6b4528c51990014de8e"),
};

function build(version: string, arch: string, sha256: string): { version: string } & Archive {
  const name = `mongodb-linux-${arch}-ubuntu2204-${version}`;
  return { version, url: `https://fastdl.mongodb.org/linux/${name}.tgz`, sha256, member: `${name}/bin/mongod` };
}

/** MongoDB's download site, for Linux. Many firewalls block it. */
export function downloadSite(platform: string, arch: string): BinarySource | undefined {
  const found = builds[`${platform}-${arch}`];
  if (!found) return undefined;
  return archiveSource(`mongod ${found.version} from the MongoDB download site`, `mongod-${found.version}`, found);
}
