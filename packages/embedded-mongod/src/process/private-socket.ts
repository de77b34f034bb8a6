import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedError } from "../embedded-error.ts";

/** A path for a Unix socket in a folder that only this user can enter. */
export interface PrivateSocket {
  readonly path: string;
  /** Made for the socket, and to be removed with it. */
  readonly temporaryFolder?: string;
}

/**
 * Chooses the path of mongod's socket: in its data folder, or in a temporary folder of its own where that path is too
 * long for a socket (108 bytes on Linux, 104 on macOS), has characters that an address cannot have, or lies on a file
 * system without sockets.
 * @param dbPath a folder that only this user can enter
 */
export async function choosePrivateSocket(dbPath: string): Promise<PrivateSocket> {
  const path = join(dbPath, "mongod.sock");
  if (/^[\w./@+-]+$/.test(path) && (await canListen(join(dbPath, "socket.test")))) return { path };
  for (const parent of new Set([tmpdir(), "/tmp"])) {
    const temporaryFolder = makeTemporaryFolder(parent);
    if (temporaryFolder === undefined) continue;
    const socket = { path: join(temporaryFolder, "mongod.sock"), temporaryFolder };
    if (await canListen(socket.path)) return socket;
    removeSocketFolder(socket);
  }
  throw new EmbeddedError(
    `mongod cannot have a Unix socket in ${dbPath}, ${tmpdir()} or /tmp.`,
    "Set TMPDIR to a folder with a short path on a local disk.",
  );
}

function makeTemporaryFolder(parent: string): string | undefined {
  try {
    return mkdtempSync(join(parent, "embedded-mongod-"));
  } catch {
    return undefined;
  }
}

/** Removes the temporary folder of a socket, if it has one. */
export function removeSocketFolder({ temporaryFolder }: PrivateSocket): void {
  if (temporaryFolder !== undefined) rmSync(temporaryFolder, { recursive: true, force: true });
}

function canListen(path: string): Promise<boolean> {
  rmSync(path, { force: true });
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(path, () => server.close(() => resolve(true)));
  });
}
