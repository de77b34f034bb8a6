import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";

/** Time for a clean shutdown, which usually takes 0.7 s. After it mongod is killed; the journal loses nothing. */
const shutdownMs = 10_000;
/** Time for a killed process to end. One that waits for a broken disk may never end; nobody can wait for it. */
const killMs = 5000;

/**
 * Ends a process within 15 s, also one that hangs or was stopped by SIGSTOP.
 * @param exited settles when the process has ended
 */
export async function stopProcess(
  child: ChildProcess,
  signal: "SIGTERM" | "SIGKILL",
  exited: Promise<unknown>,
  limits = { shutdownMs, killMs },
): Promise<void> {
  child.kill(signal);
  // A stopped process handles SIGTERM only after it continues.
  child.kill("SIGCONT");
  if (await settles(exited, limits.shutdownMs)) return;
  child.kill("SIGKILL");
  await settles(exited, limits.killMs);
}

async function settles(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const limit = delay(ms, false, { signal: timer.signal }).catch(() => false);
  return Promise.race([promise.then(() => true), limit]).finally(() => timer.abort());
}
