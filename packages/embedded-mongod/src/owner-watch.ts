import { spawn } from "node:child_process";

/**
 * Ends mongod when its owner dies in whatever way, kill -9 included. Its stdin is a pipe whose other end only the owner
 * holds; the kernel closes that end when the owner is gone. No polling, and no mistaking a reused process id.
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
  /** Ends the watch; mongod is left alone. */
  end(): void;
}

/**
 * Starts the watch over one mongod, in a session of its own, so that neither Ctrl-C nor a kill of the owner's process
 * group reaches it.
 * @param removeAfter a temporary folder that goes when the owner dies; mongod is then killed rather than shut down
 */
export function watchOwner(mongodPid: number, removeAfter?: string): OwnerWatch {
  const signal = removeAfter === undefined ? "TERM" : "KILL";
  const words = ["-c", script, "project-feedback-owner-watch", String(mongodPid), signal, removeAfter ?? ""];
  const watch = spawn("/bin/sh", words, { cwd: "/", detached: true, stdio: ["pipe", "ignore", "ignore"] });
  // Without a shell there is no watch; the next start still finds and stops what was left.
  watch.on("error", () => undefined);
  watch.stdin.on("error", () => undefined);
  watch.unref();
  (watch.stdin as unknown as { unref(): void }).unref();
  return { end: () => void watch.kill("SIGKILL") };
}
