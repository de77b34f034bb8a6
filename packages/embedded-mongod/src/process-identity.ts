/**
 * What the operating system knows about other processes. A process id alone proves little: ids are reused, and in a
 * container the server has the same small id after every restart. The start time distinguishes the two.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { basename, resolve } from "node:path";

const linux = process.platform === "linux";

/** When the process started, in the system's own notation. Undefined when it is dead or a zombie. */
export function birthTimeOf(pid: number): string | undefined {
  try {
    return linux ? birthTimeFromProc(pid) : birthTimeFromPs(pid);
  } catch {
    return undefined;
  }
}

/** Whether the process is a mongod that was started on this folder. `dbPath` is absolute, with links resolved. */
export function isMongodOn(pid: number, dbPath: string): boolean {
  try {
    if (birthTimeOf(pid) === undefined) return false;
    return linux ? isMongodByProc(pid, dbPath) : isMongodByPs(pid, dbPath);
  } catch {
    return false;
  }
}

/** proc(5): the name in parentheses may contain spaces. State is field 3, start time (clock ticks since boot) field 22. */
function birthTimeFromProc(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (fields[0] === "Z" || fields[0] === "X") return undefined;
  return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()}/${fields[19]}`;
}

function birthTimeFromPs(pid: number): string | undefined {
  const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  const [state, ...startTime] = line.split(/\s+/);
  return state === undefined || state === "" || state.startsWith("Z") ? undefined : startTime.join(" ");
}

function isMongodByProc(pid: number, dbPath: string): boolean {
  const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  if (!basename(words[0] ?? "").startsWith("mongod")) return false;
  const at = words.indexOf("--dbpath");
  const given = at === -1 ? words.find((w) => w.startsWith("--dbpath="))?.slice("--dbpath=".length) : words[at + 1];
  return given !== undefined && resolve(readlinkSync(`/proc/${pid}/cwd`), given) === dbPath;
}

function isMongodByPs(pid: number, dbPath: string): boolean {
  const line = execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return line.includes("mongod") && line.includes(dbPath);
}
