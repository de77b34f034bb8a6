import type { Caller } from "./caller.ts";
import { aProject } from "./samples.ts";
import { type TestServer, useServer } from "./server.ts";

/** What most tests of feedback need. */
export interface ProjectFixture {
  readonly server: TestServer;
  /** A developer, the owner of the project. */
  readonly ada: Caller;
  /** Another developer. */
  readonly bob: Caller;
  /** A tester. */
  readonly tom: Caller;
  readonly projectId: string;
}

/** Starts a server with three accounts and a project for the tests of one file, and stops it after them. */
export async function useProject(): Promise<ProjectFixture> {
  const server = await useServer();
  const [ada, bob, tom] = await Promise.all([server.account(), server.account(), server.account({ role: "tester" })]);
  const { id: projectId } = await aProject(ada);
  return { server, ada, bob, tom, projectId };
}
