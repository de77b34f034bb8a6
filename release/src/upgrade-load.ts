import { type Client, createClient } from "@project-feedback/client";

const loops = 6;
/** The part of the address that the load replaces by that of a server. */
const anyServer = "http://project-feedback.invalid";

/** Programs that use the client while servers are replaced. */
export class UpgradeLoad {
  /** A sentence for each call that failed, and for each response with an error of the server. */
  readonly problems: string[] = [];
  calls = 0;
  closed = 0;
  readonly #developer: Client;
  readonly #tester: Client;
  /** Ids of what was acknowledged, with the texts that were sent. */
  readonly #projects = new Map<string, string>();
  readonly #feedback = new Map<string, string>();
  #ended = false;

  /** @param pick the address of a server that is ready */
  constructor(keys: { readonly developer: string; readonly tester: string }, pick: () => Promise<string | undefined>) {
    const developer = createClient({
      ...{ baseUrl: `${anyServer}/v1`, apiKey: keys.developer, debug: false },
      fetch: async (url, init) => {
        const origin = await pick();
        if (origin === undefined) throw new TypeError("No server is ready.");
        return fetch(url.replace(anyServer, origin), init);
      },
      onError: () => {
        this.closed += 1;
      },
      onResponse: ({ status, method, url }) => {
        if (status >= 500) this.problems.push(`${method} ${url} was answered ${status}.`);
      },
    });
    this.#developer = developer;
    this.#tester = developer.withOptions({ apiKey: keys.tester });
  }

  get created(): number {
    return this.#projects.size + this.#feedback.size;
  }

  /** Sends until `end` is called. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: loops }, (_, loop) => this.#loop(loop)));
  }

  end(): void {
    this.#ended = true;
  }

  async #loop(loop: number): Promise<void> {
    for (let number = 0; !this.#ended; number += 1) {
      try {
        await this.#round(`Project ${number} of loop ${loop}`);
      } catch (error) {
        this.problems.push(`A call failed: ${error}`);
      }
    }
  }

  async #round(title: string): Promise<void> {
    const description = "Made while the servers are replaced.";
    const project = await this.#call(this.#developer.projects.create({ title, description, category: "web" }));
    this.#projects.set(project.id, title);
    const sent = { overallRating: 4, generalComments: `A comment on ${title}` };
    const feedback = await this.#call(this.#tester.feedback.create(project.id, sent));
    this.#feedback.set(feedback.id, sent.generalComments);
    await this.#call(this.#developer.feedback.markHelpful(feedback.id));
    await this.#call(this.#developer.feedback.approve(feedback.id));
    await this.#call(this.#tester.projects.get(project.id));
    await this.#call(this.#tester.projects.list({ category: "web", perPage: 5 }));
    await this.#call(this.#developer.projects.update(project.id, { description: `${description} Changed.` }));
  }

  async #call<Result>(call: PromiseLike<Result>): Promise<Result> {
    const result = await call;
    this.calls += 1;
    return result;
  }

  /** A sentence for each record that was acknowledged and is not there as it was sent. */
  async missing(): Promise<string[]> {
    const problems: string[] = [];
    for (const [id, title] of this.#projects) {
      const found = await this.#developer.projects.get(id);
      if (found.title !== title) problems.push(`${id} was created as ${title}, and is ${found.title}.`);
    }
    for (const [id, comment] of this.#feedback) {
      const found = await this.#tester.feedback.get(id);
      if (found.generalComments !== comment)
        problems.push(`${id} was sent as ${comment}, and is ${found.generalComments}.`);
    }
    return problems;
  }
}
