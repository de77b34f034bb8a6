import { spawn } from "node:child_process";

/**
 * Ends mongod when its owner dies in any way, including kill -9. Its stdin is a pipe whose other end only the owner
 * holds, and the kernel closes that end when the owner dies: no polling, and no confusion by a reused process id.
 * Arguments: pid, signal, a folder to remove afterwards (or nothing).
 */
const script = `
while read -r _; do :; done
kill -s "$2" "$1" 2>/dev/null
if [ -n "$3" ]; then
  while kill -0 "$1" 2>/dev/null; do sleep 0.1; done
  rm -rf -- "$3"
fi`;

export interface OwnerWatch {
  /** Ends the watch and leaves mongod alone. */
  end(): void;
}

/**
 * Starts a process that ends the given mongod when this process dies. It has a session of its own, so that neither
 * Ctrl-C nor a signal to the owner's process group reaches it.
 * @param removeFolder a temporary folder to remove when the owner dies; mongod is then killed, not shut down
 */
export function watchOwner(mongodPid: number, removeFolder?: string): OwnerWatch {
  const signal = removeFolder === undefined ? "TERM" : "KILL";
  const args = ["-c", script, "mongod-owner-watch", String(mongodPid), signal, removeFolder ?? ""];
  const watch = spawn("/bin/sh", args, { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Without a shell there is no watch; the next start still finds and stops the mongod.
  watch.on("error", () => undefined);
  watch.stdin.on("error", () => undefined);
  watch.unref();
  (watch.stdin as unknown as { unref(): void }).unref();
  return { end: () => void watch.kill("SIGKILL") };
}
