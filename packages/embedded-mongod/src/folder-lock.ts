import { setTimeout as pause } from "node:timers/promises";
import { lock } from "proper-lockfile";

export interface FolderLockOptions {
  /** Milliseconds after which the lock of a process that died in it may be taken; at least 2000. */
  stale: number;
  /** Called before each wait of 200 ms, with the milliseconds waited so far. Throw to give up. */
  onWait?(waited: number): void;
}

/**
 * Runs `work` while no other process does so under the same lock.
 * @param path the lock, a folder that exists only while it is held; the folder around it must exist
 * @throws what the file system says when the lock can't be made, and what `work` throws
 */
export async function withFolderLock<T>(
  path: string,
  options: FolderLockOptions,
  work: () => T | Promise<T>,
): Promise<T> {
  const began = Date.now();
  const release = await take(path, options, began);
  try {
    return await work();
  } finally {
    // Losing a lock (a laptop asleep for longer than `stale`) must not fail the work: what is done under a lock here
    // ends in an atomic rename, so the worst is that it is done twice.
    await release().catch(() => undefined);
  }
}

async function take(path: string, options: FolderLockOptions, began: number): Promise<() => Promise<void>> {
  for (;;) {
    try {
      return await lock(path, {
        lockfilePath: path,
        realpath: false,
        stale: options.stale,
        onCompromised: () => undefined,
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw error;
      options.onWait?.(Date.now() - began);
      await pause(options.onWait ? 200 : 20);
    }
  }
}
