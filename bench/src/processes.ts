// Processor time and memory of processes, from /proc (proc(5)).

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

const ticksASecond = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));

/** The process and its descendants. */
export function familyOf(root: number): number[] {
  const children = new Map<number, number[]>();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const parent = Number(fieldsOf(Number(entry))?.[1]);
    children.set(parent, [...(children.get(parent) ?? []), Number(entry)]);
  }
  const family = [root];
  for (const member of family) family.push(...(children.get(member) ?? []));
  return family;
}

/** User and system time of processes so far, in microseconds; a process that has ended counts as 0. */
export function cpuMicroseconds(processes: readonly number[]): number {
  return processes.reduce((sum, process) => {
    const fields = fieldsOf(process);
    return sum + ((Number(fields?.[11] ?? 0) + Number(fields?.[12] ?? 0)) * 1e6) / ticksASecond;
  }, 0);
}

/** Resident memory of processes in bytes, now and at its peak. */
export function memoryOf(processes: readonly number[]): { now: number; peak: number } {
  const memory = { now: 0, peak: 0 };
  for (const process of processes) {
    const status = read(`/proc/${process}/status`) ?? "";
    memory.now += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1_024;
    memory.peak += Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1_024;
  }
  return memory;
}

/** The fields of /proc/PID/stat after the command's name, which may contain spaces: the state is the first. */
function fieldsOf(process: number): string[] | undefined {
  return read(`/proc/${process}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ");
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return undefined;
    throw error;
  }
}
