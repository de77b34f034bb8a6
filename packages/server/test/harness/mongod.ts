import { openTemporary } from "@project-feedback/embedded-mongod";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A replica set that runs as long as the test run. */
    mongodbUri: string;
  }
}

/** One real mongod for the whole run, or the one at MONGODB_URI. Each test server uses its own database. */
export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env.MONGODB_URI;
  if (given) {
    project.provide("mongodbUri", given);
    return undefined;
  }
  const database = await openTemporary();
  project.provide("mongodbUri", database.uri);
  return () => database.stop();
}
