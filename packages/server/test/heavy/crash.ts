/**
 * What was acknowledged is there, and no total is off, whatever was killed. Sixteen clients make, change, judge and
 * delete ten thousand projects; in the middle the server is killed twice with SIGKILL, once its process alone and once
 * with its whole group, and started again on the same data.
 *
 * Run: pnpm test:crash [projects]
 */
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, freshFolder, run, runJson, type ServerProcess, serve } from "../harness/processes.ts";
import { randomFrom } from "../harness/realistic-data.ts";

const wanted = Number(process.argv[2] ?? 10_000);
const clients = 16;
const statuses = ["draft", "active", "completed", "archived"] as const;
const categories = ["web", "mobile", "desktop", "other"] as const;

/** What a project must be. A write without an answer leaves more than one state that it may be in. */
interface Expected {
  readonly id: string;
  readonly owner: Caller;
  readonly category: string;
  states: { status: string; isPublic: boolean; deleted: boolean }[];
  /** How much feedback was acknowledged, and how much more was sent without an answer. */
  feedback: number;
  perhaps: number;
}

interface Caller {
  readonly id: string;
  readonly key: string;
}

const folder = freshFolder();
const settings = {
  ...{ DATA_DIR: folder.path, PORT: String(await freePort()), ALLOWANCES: "team=100000000" },
  DRAIN_SECONDS: "0",
};
const origin = `http://127.0.0.1:${settings.PORT}/v1`;
const known: Expected[] = [];
/** Creations without an answer. */
let unanswered = 0;
let acknowledged = 0;
const wrong: string[] = [];
const began = performance.now();

// The server has a process group of its own: it is ended as this process exits, so it must exit, not be ended.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

let server: ServerProcess = await serve(settings);
try {
  const owners = [await aCaller("developer"), await aCaller("developer"), await aCaller("developer")];
  const tester = await aCaller("tester");
  let restarting: Promise<void> | undefined;
  const kills = [
    { at: 0.35, kill: () => server.killGroup(), what: "the group" },
    { at: 0.7, kill: () => server.signal("SIGKILL"), what: "the process" },
  ];
  const watch = setInterval(() => {
    const [next] = kills;
    if (!next || known.length < wanted * next.at || restarting) return;
    kills.shift();
    next.kill();
    restarting = server.exited.then(async () => {
      console.log(`killed ${next.what} after ${known.length} projects`);
      server = await serve(settings);
      restarting = undefined;
    });
  }, 20);
  await Promise.all(
    Array.from({ length: clients }, (_, client) => work(client, owners, tester, () => restarting ?? sleep(50))),
  );
  clearInterval(watch);
  await restarting;
  if (kills.length > 0) wrong.push("the server was not killed as often as it should have been");
  await sleep(1_200);

  const rest = known.values();
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const expected of rest) await compare(expected);
    }),
  );
  const verified = await run(["counts", "verify", "--json"], settings);
  if (verified.code !== 0)
    wrong.push(`counts verify ended with code ${verified.code}: ${verified.stdout}${verified.stderr}`);
  let totals = 0;
  for (const caller of [...owners, tester]) totals += await compareTotals(caller);

  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  for (const each of wrong.slice(0, 20)) console.log(each);
  console.log(
    `${wrong.length === 0 ? "nothing is off" : `${wrong.length} THINGS ARE OFF`}: ${acknowledged} acknowledged writes on ${known.length} projects, ${unanswered} without an answer, 2 kills, ${totals} totals exact, counts clean, ${seconds} s`,
  );
} finally {
  server.signal("SIGTERM");
  await server.exited;
  folder.remove();
}
process.exitCode = wrong.length === 0 ? 0 : 1;

async function aCaller(role: string): Promise<Caller> {
  const { id } = await runJson(["accounts", "create", "--name", role, "--role", role, "--plan", "team"], settings);
  return { id, key: (await runJson(["keys", "create", "--account", id], settings)).key };
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Answer = { status: number; body: any };

/** The answer; undefined where there is none, or one that says that what became of it is not known. */
async function send(caller: Caller, method: string, path: string, body?: object): Promise<Answer | undefined> {
  try {
    const response = await fetch(origin + path, {
      method,
      headers: { Authorization: `Bearer ${caller.key}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = { status: response.status, body: await response.json() };
    return answer.status < 500 ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** One client: makes projects, and now and then does something with one that it made. */
async function work(client: number, owners: Caller[], tester: Caller, wait: () => Promise<unknown>): Promise<void> {
  const random = randomFrom(client + 1);
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const mine: Expected[] = [];
  while (known.length < wanted) {
    const owner = pick(owners);
    const category = pick(categories);
    const status = random(5) === 0 ? "draft" : "active";
    const isPublic = random(4) > 0;
    const made = await send(owner, "POST", "/projects", {
      ...{ title: `Project of ${client}`, description: "Made while things break.", category, isPublic },
      ...(status === "draft" && { status }),
    });
    if (!made) {
      unanswered += 1;
      await wait();
      continue;
    }
    if (made.status !== 201) throw new Error(`a creation was answered ${JSON.stringify(made)}`);
    acknowledged += 1;
    const expected: Expected = {
      ...{ id: made.body.id, owner, category, feedback: 0, perhaps: 0 },
      states: [{ status, isPublic, deleted: false }],
    };
    known.push(expected);
    mine.push(expected);
    if (random(3) === 0 && !(await change(pick(mine), random(10), tester, random))) await wait();
  }
}

/** Does something with a project, and notes what it may be now. @returns whether there was an answer */
async function change(
  project: Expected,
  what: number,
  tester: Caller,
  random: (below: number) => number,
): Promise<boolean> {
  const path = `/projects/${project.id}`;
  const settle = (answer: Answer | undefined, done: Expected["states"]): boolean => {
    if (!answer) {
      unanswered += 1;
      project.states = [...project.states, ...done];
      return false;
    }
    if (answer.status === 200) {
      acknowledged += 1;
      project.states = done;
    }
    return true;
  };
  if (what < 2) {
    const gone = project.states.map((state) => ({ ...state, deleted: true }));
    return settle(await send(project.owner, "DELETE", path), gone);
  }
  if (what < 6) {
    const fields = { status: statuses[random(4)] ?? "active", isPublic: random(3) > 0 };
    // Which of the states it may be in allows the move is for the service to say.
    const moved = project.states.filter(({ deleted }) => !deleted).map((state) => ({ ...state, ...fields }));
    return settle(await send(project.owner, "PATCH", path, fields), moved);
  }
  const answer = await send(tester, "POST", `${path}/feedback`, { overallRating: 1 + random(5) });
  if (!answer) {
    unanswered += 1;
    project.perhaps += 1;
    return false;
  }
  if (answer.status === 201) {
    acknowledged += 1;
    project.feedback += 1;
  }
  return true;
}

async function compare(project: Expected): Promise<void> {
  const answer = await send(project.owner, "GET", `/projects/${project.id}`);
  const { states, feedback, perhaps, id } = project;
  const found = answer?.status === 404 ? "nothing" : JSON.stringify(answer?.body);
  const fits = states.some(({ deleted, status, isPublic }) =>
    deleted
      ? answer?.status === 404
      : answer?.status === 200 && answer.body.status === status && answer.body.isPublic === isPublic,
  );
  if (!fits) wrong.push(`${id} should be one of ${JSON.stringify(states)}, and is ${found}`);
  if (answer?.status !== 200) return;
  const { feedbackCount } = answer.body.stats;
  if (feedbackCount < feedback || feedbackCount > feedback + perhaps) {
    wrong.push(`${id} has ${feedbackCount} feedback, and should have ${feedback} to ${feedback + perhaps}`);
  }
  const listed = await send(project.owner, "GET", `/projects/${id}/feedback?perPage=1`);
  if (listed?.body.pagination.total !== feedbackCount) wrong.push(`the feedback list of ${id} has another total`);
}

/** Holds the total of every filter against what paging through everything finds. @returns how many */
async function compareTotals(caller: Caller): Promise<number> {
  const all: { status: string; category: string }[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await send(caller, "GET", `/projects?perPage=100&page=${page}`);
    all.push(...(answer?.body.data ?? []));
    if ((answer?.body.data.length ?? 0) < 100) break;
  }
  let compared = 0;
  for (const status of [undefined, ...statuses]) {
    for (const category of [undefined, ...categories]) {
      const query = new URLSearchParams({ ...(status && { status }), ...(category && { category }) });
      const listed = await send(caller, "GET", `/projects?${query}`);
      const found = all.filter(
        (each) => (!status || each.status === status) && (!category || each.category === category),
      ).length;
      const total = listed?.body.pagination.total;
      if (total !== found) wrong.push(`the total for ${caller.id} of ${query} is ${total}, and there are ${found}`);
      compared += 1;
    }
  }
  return compared;
}
