import { setTimeout as delay } from "node:timers/promises";
import { lock } from "proper-lockfile";

export interface FolderLockOptions {
  /** Milliseconds after which the lock of a process that died while holding it may be taken; at least 2000. */
  staleMs: number;
  /** Called before each wait of 200 ms, with the milliseconds waited so far. Throw to give up. */
  onWait?(waitedMs: number): void;
}

/**
 * Runs `work` while no other process runs work under the same lock.
 * @param path the lock, a folder that exists only while it is held; its parent must exist
 * @throws the file system's error when the lock cannot be made, and what `work` throws
 */
export async function withFolderLock<Result>(
  path: string,
  options: FolderLockOptions,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const release = await acquire(path, options);
  try {
    return await work();
  } finally {
    // A lost lock (a laptop that slept longer than `staleMs`) must not fail the work. All work under these locks ends
    // in an atomic rename, so at worst it is done twice.
    await release().catch(() => undefined);
  }
}

async function acquire(path: string, { staleMs, onWait }: FolderLockOptions): Promise<() => Promise<void>> {
  const startedAt = Date.now();
  for (;;) {
    try {
      return await lock(path, { lockfilePath: path, realpath: false, stale: staleMs, onCompromised: () => undefined });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw error;
      onWait?.(Date.now() - startedAt);
      await delay(onWait ? 200 : 20);
    }
  }
}
