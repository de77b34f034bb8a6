import { randomUUID } from "node:crypto";
import { openTemporary } from "@project-feedback/embedded-mongod";
import { createAccount, createKey, createService, listen, type ServiceOptions } from "@project-feedback/server";
import type { Plan, Role } from "@project-feedback/server/domain/account";
import { connect, type Database } from "@project-feedback/server/store/database";
import { makeIndexes } from "@project-feedback/server/store/indexes";
import type { ConformanceOptions } from "../src/options.ts";

/** Changes to the reference server from within: other operations, other parts. */
export type Alteration = Partial<Pick<ServiceOptions, "operations" | "adapt" | "config" | "now">>;

export interface Served {
  /** `http://127.0.0.1:PORT/v1`, or `https:` where it was given a certificate. */
  readonly baseUrl: string;
  stop(): Promise<void>;
}

type Given = Pick<ConformanceOptions, "keys" | "plans"> & { readonly testerId: string };

const silent = { info() {}, warn() {}, error() {}, debug() {} };
const allowances = { free: 100, pro: 1_000, team: 10_000 };

/** One database with servers on it: our own, and our own with one thing changed. */
export class Reference {
  readonly #database: Database;
  readonly #end: () => Promise<void>;

  private constructor(database: Database, end: () => Promise<void>) {
    this.#database = database;
    this.#end = end;
  }

  /** Starts a mongod that ends with this process, or uses that of MONGODB_URI. */
  static async open(): Promise<Reference> {
    const given = process.env.MONGODB_URI;
    const mongod = given ? { uri: given, stop: async () => {} } : await openTemporary({ report() {} });
    const uri = new URL(mongod.uri);
    uri.pathname = `/conformance_${randomUUID().slice(0, 8)}`;
    const database = await connect(uri.href);
    await makeIndexes(database);
    return new Reference(database, async () => {
      await database.db.dropDatabase();
      await database.client.close();
      await mongod.stop();
    });
  }

  /** Serves the reference, altered or not, on a port of its own. */
  async serve({ config, ...alteration }: Alteration = {}, tls?: { cert: string; key: string }): Promise<Served> {
    const service = createService({
      log: silent as unknown as ServiceOptions["log"],
      database: this.#database,
      config: config ?? { allowances, addressAllowance: 1_000_000, trustedProxies: 0 },
      ...alteration,
    });
    const listener = await listen(service, { host: "127.0.0.1", port: 0, tls });
    return {
      baseUrl: `${tls ? "https" : "http"}://127.0.0.1:${listener.port}/v1`,
      async stop() {
        await listener.close();
        await service.close();
      },
    };
  }

  /** A key of a new account. */
  async key(role: Role, plan: Plan): Promise<{ accountId: string; key: string }> {
    const { id } = await createAccount(this.#database, { name: `${role} of a conformance run`, role, plan });
    return { accountId: id, key: (await createKey(this.#database, id, "conformance")).key };
  }

  /** Keys for a run: of the Free and the Pro plan for the stated suite, of the Team plan for all of it. */
  async keys(profile: "stated" | "reference" = "stated"): Promise<Given> {
    const [one, other] = profile === "stated" ? (["free", "pro"] as const) : (["team", "team"] as const);
    const developer = await this.key("developer", one);
    const tester = await this.key("tester", other);
    const otherDeveloper = await this.key("developer", "team");
    const spare = await this.key("developer", "free");
    return {
      keys: { developer: developer.key, tester: tester.key, otherDeveloper: otherDeveloper.key, spare: spare.key },
      plans: { developer: one, tester: other, otherDeveloper: "team", spare: "free" },
      testerId: tester.accountId,
    };
  }

  /**
   * Puts projects there that belong to somebody else: in every status and category, and, without the one in seven that
   * is private, more than the 100 that a page holds at most.
   */
  async crowd(baseUrl: string, count = 130): Promise<void> {
    const { key } = await this.key("developer", "team");
    const send = async (method: string, path: string, body: unknown) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      return (await fetch(baseUrl + path, { method, headers, body: JSON.stringify(body) })).json() as Promise<{
        id: string;
      }>;
    };
    const categories = ["web", "mobile", "desktop", "other"];
    for (let n = 0; n < count; n += 1) {
      const { id } = await send("POST", "/projects", {
        title: `Somebody else's project ${n}`,
        description: "It was here before.",
        category: categories[n % 4],
        isPublic: n % 7 !== 0,
      });
      const status = ["active", "completed", "archived"][n % 5];
      if (status && status !== "active") await send("PATCH", `/projects/${id}`, { status });
    }
  }

  async close(): Promise<void> {
    await this.#end();
  }
}
