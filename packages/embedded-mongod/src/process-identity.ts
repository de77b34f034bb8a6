/**
 * What the operating system knows of another process. A process id alone proves little: ids are used again, and in a
 * container the server has the same small id after every restart. The moment of birth tells the two apart.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { basename, resolve } from "node:path";

const linux = process.platform === "linux";

/** When the process was born, in the system's own notation; `undefined` when it isn't alive (a zombie isn't). */
export function birthOf(pid: number): string | undefined {
  try {
    if (!linux) return bornByPs(pid);
    // proc(5): the name in parentheses may hold spaces; state is field 3, start time (clock ticks since boot) field 22.
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim()}/${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Whether the process is a mongod that was started on this folder. `dbPath` is absolute, links resolved. */
export function isMongodOn(pid: number, dbPath: string): boolean {
  try {
    if (birthOf(pid) === undefined) return false;
    if (!linux) {
      const line = execFileSync("ps", ["-ww", "-o", "command=", "-p", String(pid)], { encoding: "utf8" });
      return line.includes("mongod") && line.includes(dbPath);
    }
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
    if (!basename(words[0] ?? "").startsWith("mongod")) return false;
    const at = words.indexOf("--dbpath");
    const given = at === -1 ? words.find((w) => w.startsWith("--dbpath="))?.slice("--dbpath=".length) : words[at + 1];
    return given !== undefined && resolve(readlinkSync(`/proc/${pid}/cwd`), given) === dbPath;
  } catch {
    return false;
  }
}

function bornByPs(pid: number): string | undefined {
  const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], { encoding: "utf8" }).trim();
  const [state, ...born] = line.split(/\s+/);
  return state === undefined || state === "" || state.startsWith("Z") ? undefined : born.join(" ");
}
