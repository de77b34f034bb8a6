import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const cwd = new URL("..", import.meta.url);

/** Runs a program in a process of its own, with the built client as `client` and a `fetch` that always fails. */
async function run(program: string, kind: "module" | "commonjs" = "module") {
  const head = `
    const options = { baseUrl: "https://feedback.example.com/v1", apiKey: "pfs_key", maxRetries: 0 };
    const fail = async () => { throw new TypeError("Failed to fetch"); };
    const missing = async () => Response.json({ error: "Not Found", message: "No." }, { status: 404 });
    const forever = (_, { signal }) => new Promise((_, no) => signal.addEventListener("abort", () => no(signal.reason)));
  `;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [`--input-type=${kind}`, "--eval", head + program],
    { cwd },
  );
  return stdout + stderr;
}

const load = 'import * as client from "@project-feedback/client"; const { createClient } = client;';

test("two lists that are created together and iterated later do not crash the process", async () => {
  const output = await run(`${load}
    const { projects, feedback } = createClient({ ...options, fetch: fail });
    const lists = [projects.list(), feedback.list("prj_1")];
    const pages = [projects.list().pages(), feedback.list("prj_1").pages()];
    await new Promise((resolve) => setTimeout(resolve, 20));
    for (const list of [...lists, ...pages]) {
      try { for await (const item of list) console.log(item); } catch (error) { console.log(error.name); }
    }
    try { await lists[0]; } catch (error) { console.log("awaited:", error.name); }
  `);
  expect(output).toBe(`${"NetworkError\n".repeat(4)}awaited: NetworkError\n`);
});

test("a call that nobody awaits still reports its failure", async () => {
  await expect(run(`${load} createClient({ ...options, fetch: fail }).projects.get("prj_1");`)).rejects.toThrow(
    /NetworkError/,
  );
});

test("50 calls on one signal do not warn", async () => {
  const output = await run(`${load}
    const controller = new AbortController();
    const { projects } = createClient({ ...options, fetch: forever });
    const calls = Array.from({ length: 50 }, () => projects.get("prj_1", { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error("mine")), 20);
    const results = await Promise.allSettled(calls);
    console.log(results.filter(({ reason }) => reason.message === "mine").length);
  `);
  expect(output).toBe("50\n");
});

test("a call that was canceled keeps no process alive", async () => {
  const began = performance.now();
  await run(`${load}
    const limited = async () => Response.json({ message: "No." }, { status: 429, headers: { "retry-after": "25" } });
    const { projects } = createClient({ ...options, maxRetries: 5, fetch: limited, debug: false });
    const controller = new AbortController();
    const calls = ["prj_1", "prj_2"].map((id) => projects.get(id, { signal: controller.signal }).catch(() => {}));
    setTimeout(() => controller.abort(), 20);
    await Promise.all(calls);
  `);
  expect(performance.now() - began).toBeLessThan(5000);
});

test("isApiError and isStatusError recognize an error of the other build", async () => {
  const output = await run(`${load}
    import { createRequire } from "node:module";
    const other = createRequire(import.meta.url)("@project-feedback/client");
    const error = await other.createClient({ ...options, fetch: missing }).projects.get("prj_1").catch((error) => error);
    const network = await other.createClient({ ...options, fetch: fail }).projects.get("prj_1").catch((error) => error);
    console.log(other.createClient === createClient);
    for (const each of [client, other]) console.log(each.isApiError(error), each.isStatusError(error), each.isApiError(network));
    console.log(client.isApiError(new other.NotFoundError("No.")), client.isApiError(new other.TimeoutError("No.")));
    for (const no of [null, undefined, "text", new Error("x"), {}]) console.log(client.isApiError(no));
  `);
  expect(output).toBe(`false\n${"true true false\n".repeat(2)}true false\n${"false\n".repeat(5)}`);
});

test("it works without crypto, and with a signal without reason and throwIfAborted, as in React Native", async () => {
  const output = await run(`${load}
    Object.defineProperty(globalThis, "crypto", { value: undefined });
    Object.defineProperty(URL, "canParse", { value: undefined });
    const keys = [];
    const keep = async (_, { headers }) => { keys.push(headers["idempotency-key"]); return Response.json({ id: "1" }); };
    const { projects } = createClient({ ...options, fetch: keep });
    await projects.create({ title: "Garden", description: "Beds.", category: "web" });
    await projects.create({ title: "Garden", description: "Beds.", category: "web" });
    console.log(keys[0] !== keys[1], /^[!-~]{16,255}$/.test(keys[0]));

    class Signal extends EventTarget { aborted = false; }
    const signal = new Signal();
    const slow = createClient({ ...options, fetch: () => new Promise(() => {}) });
    const waiting = slow.projects.get("prj_1", { signal }).catch((error) => error.name);
    await new Promise((resolve) => setTimeout(resolve, 5));
    signal.aborted = true;
    signal.dispatchEvent(new Event("abort"));
    console.log(await waiting, await slow.projects.get("prj_1", { signal }).catch((error) => error.name));
  `);
  expect(output).toBe("true true\nAbortError AbortError\n");
});
