import type { TestProject } from "vitest/node";
import { type Started, start } from "./start.ts";

declare module "vitest" {
  interface ProvidedContext extends Omit<Started, "stop"> {}
}

/** Starts what the tests of a run share. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...provided } = await start();
  project.provide("origin", provided.origin);
  project.provide("dataDir", provided.dataDir);
  project.provide("logFile", provided.logFile);
  return stop;
}
