import { spawn } from "node:child_process";

/**
 * Ends mongod when its owner dies in any way, including kill -9. Its stdin is a pipe whose other end only the owner
 * holds, and the kernel closes that end when the owner dies: no polling, and no confusion by a reused process id.
 * Arguments: pid, signal, folders to remove afterwards.
 */
const script = `
while read -r _; do :; done
pid=$1 signal=$2
shift 2
kill -s "$signal" "$pid" 2>/dev/null
[ $# -gt 0 ] || exit 0
while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
rm -rf -- "$@"`;

export interface OwnerWatch {
  /** Ends the watch and leaves mongod alone. */
  end(): void;
}

export interface WatchOwnerOptions {
  /** What ends mongod. Default: TERM, a clean shutdown. */
  signal?: "TERM" | "KILL";
  /** Temporary folders to remove when mongod has ended. */
  removeFolders?: readonly string[];
}

/**
 * Starts a process that ends the given mongod when this process dies. It has a session of its own, so that neither
 * Ctrl-C nor a signal to the owner's process group reaches it.
 */
export function watchOwner(
  mongodPid: number,
  { signal = "TERM", removeFolders = [] }: WatchOwnerOptions = {},
): OwnerWatch {
  const args = ["-c", script, "mongod-owner-watch", String(mongodPid), signal, ...removeFolders];
  const watch = spawn("/bin/sh", args, { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Without a shell there is no watch; the next start still finds and stops the mongod.
  watch.on("error", () => undefined);
  watch.stdin.on("error", () => undefined);
  watch.unref();
  (watch.stdin as unknown as { unref(): void }).unref();
  return { end: () => void watch.kill("SIGKILL") };
}
