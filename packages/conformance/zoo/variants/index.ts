import {
  answering,
  handling,
  headed,
  listing,
  refusal,
  withKey,
  withOperation,
  without,
  withQuery,
} from "../mutants/mutant.ts";
import { type Fields, fieldsOf, isSuccess, itemsOf } from "../wire.ts";
import type { Variant } from "./variant.ts";

const reset = "x-ratelimit-reset";
const projectRecords = ["createProject", "getProject", "updateProject"] as const;
const feedbackRecords = ["createFeedback", "getFeedback", "updateFeedback"] as const;

const refusing =
  (change: (status: number, body: unknown) => { status: number; body: unknown }): NonNullable<Variant["distort"]> =>
  (ask) =>
  async (sent) => {
    const got = await ask(sent);
    return got.status >= 400 && got.status !== 401 && got.status !== 429
      ? { ...got, ...change(got.status, got.body) }
      : got;
  };

/** Ids in another form, wherever they stand. `form` must be undone by `unform`. */
const withIds =
  (form: (id: string) => string, unform: (id: string) => string): NonNullable<Variant["distort"]> =>
  (ask) =>
  async (sent) => {
    const back = (text: string) => unform(decodeURIComponent(text));
    const path = sent.path.replace(
      /^(\/(?:projects|feedback)\/)([^/]+)/,
      (_, head: string, id: string) => head + back(id),
    );
    const query = Object.fromEntries(
      Object.entries(sent.query).map(([name, value]) => [name, name === "testerId" ? unform(value) : value]),
    );
    const body =
      sent.body === undefined
        ? undefined
        : mapped(sent.body, (text, name) => (name === "resolvedItems" ? unform(text) : text));
    const got = await ask({ ...sent, path, query, body });
    return {
      ...got,
      body: mapped(got.body, (text) => (/^(prj|fb|bug|acc)_[0-9a-f]{24}$/.test(text) ? form(text) : text)),
    };
  };

function mapped(value: unknown, change: (text: string, name: string) => string, name = ""): unknown {
  if (typeof value === "string") return change(value, name);
  if (Array.isArray(value)) return value.map((one) => mapped(one, change, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, mapped(part, change, key)]));
}

const kinds = ["prj", "fb", "bug", "acc"];
const digits = (id: string) => `${kinds.indexOf(id.split("_")[0] ?? "") + 1}${BigInt(`0x${id.split("_")[1]}`)}`;
const undigits = (id: string) =>
  /^\d{10,}$/.test(id) ? `${kinds[Number(id[0]) - 1]}_${BigInt(id.slice(1)).toString(16).padStart(24, "0")}` : id;

/** A list in the other direction, on all its pages. */
const reversed = (operation: string): NonNullable<Variant["distort"]> =>
  handling(operation, async (sent, ask) => {
    const got = await ask(sent);
    if (!isSuccess(got)) return got;
    const { page, perPage, total } = fieldsOf(fieldsOf(got.body).pagination) as Record<string, number>;
    const all: Fields[] = [];
    for (let n = 1; all.length < Number(total) && n < 20; n += 1)
      all.push(...itemsOf((await ask(withQuery(sent, { page: String(n), perPage: "100" }))).body));
    const start = (Number(page) - 1) * Number(perPage);
    // The requests in between are this variant's own and no one's allowance.
    return { ...got, body: { ...fieldsOf(got.body), data: all.reverse().slice(start, start + Number(perPage)) } };
  });

const toTheSecond = (value: unknown): unknown =>
  mapped(value, (text) => text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, "$1+00:00"));

export const variants: readonly Variant[] = [
  {
    id: "alder",
    says: "Written apart from the reference, in Python: UUIDs, 200 on creation with little in the answer, 422, rising sorts, replies that append, marks that add up, Reset in seconds left, feedback on any project.",
    program: "alder.py",
    deployment: { draft: { fields: { saveOnly: true } } },
  },
  {
    id: "birch",
    says: "Written apart from both, in Python on SQLite: numbers for ids, projects that begin as drafts, 410, problem documents, Reset in milliseconds, testers who see their own feedback alone, marks that toggle.",
    program: "birch.py",
    deployment: { draft: { fields: { state: "draft" } }, project: { patch: { status: "active" } } },
  },
  {
    id: "alder-unconfigured",
    says: "The first of them, with nothing said about drafts.",
    program: "alder.py",
    deployment: {},
  },
  {
    id: "birch-unconfigured",
    says: "The second of them, with nothing said: no feedback can be given on a project that is a draft.",
    program: "birch.py",
    deployment: {},
  },
  {
    id: "created-200",
    says: "Creation answers 200, without Location.",
    distort: (ask) => async (sent) => {
      const got = await ask(sent);
      const { location: _, ...headers } = got.headers;
      return got.status === 201 ? { ...got, status: 200, headers } : got;
    },
  },
  {
    id: "accepted-202",
    says: "Every success is 202.",
    distort: (ask) => async (sent) => {
      const got = await ask(sent);
      return isSuccess(got) ? { ...got, status: 202 } : got;
    },
  },
  {
    id: "refused-422",
    says: "Every refusal but 401 is 422, in another shape.",
    distort: refusing(() => ({ status: 422, body: { errors: ["no"] } })),
  },
  {
    id: "refused-401",
    says: "What a role or a state forbids is a 401 too, as what a key cannot do.",
    distort: refusing((status, body) => ({ status: status === 404 ? 404 : 401, body })),
  },
  {
    id: "refused-empty",
    says: "Refusals have no body.",
    distort: refusing((status) => ({ status: status === 403 ? 404 : status, body: undefined })),
  },
  {
    id: "gone-410",
    says: "What is not there is 410.",
    distort: refusing((status, body) => ({ status: status === 404 ? 410 : status, body })),
  },
  { id: "ids-of-digits", says: "Ids are strings of digits.", distort: withIds(digits, undigits) },
  {
    id: "ids-to-be-encoded",
    says: "Ids hold characters that an address must encode.",
    distort: withIds(
      (id) => `${id.replace("_", ":/ ")}=`,
      (id) => id.replace(/^(\w+):\/ (.*)=$/, "$1_$2"),
    ),
  },
  {
    id: "oldest-first",
    says: "Lists are oldest first, and sorts rise.",
    distort: (ask, keys) => reversed("listProjects")(reversed("listFeedback")(ask, keys), keys),
  },
  {
    id: "per-page-clamped",
    says: "perPage above 100 is cut to 100.",
    distort: handling(["listProjects", "listFeedback"], async (sent, ask) =>
      ask(Number(sent.query.perPage) > 100 ? withQuery(sent, { perPage: "100" }) : sent),
    ),
  },
  {
    id: "more-in-details",
    says: "Details hold fields of their own, and so do their parts.",
    distort: (ask, keys) =>
      answering([...projectRecords, ...feedbackRecords], (body) => ({
        ...body,
        links: { self: "/" },
        ...(body.stats ? { stats: { ...fieldsOf(body.stats), stars: "many" } } : {}),
        ...(body.uiFeedback ? { uiFeedback: { ...fieldsOf(body.uiFeedback), score: 1 } } : {}),
      }))(ask, keys),
  },
  {
    id: "less-in-details",
    says: "Details show what is stated and no more.",
    distort: (ask, keys) =>
      answering([...projectRecords, ...feedbackRecords], (body) => ({
        ...without(body, "isPublic", "testingRequirements", "generalComments", "helpfulCount", "developerResponse"),
        ...(Array.isArray(body.bugs)
          ? { bugs: (body.bugs as Fields[]).map((bug) => without(bug, "stepsToReproduce")) }
          : {}),
      }))(ask, keys),
  },
  {
    id: "lean-answers",
    says: "Writes answer the least that is stated.",
    distort: (ask, keys) => {
      const lean = answering("createProject", ({ id, title }) => ({ id, title }));
      const leaner = answering("createFeedback", ({ id, status, createdAt }) => ({ id, status, createdAt }));
      const patched = answering("updateProject", (body, sent) => ({ id: body.id, ...fieldsOf(sent.body) }));
      return lean(
        leaner(
          patched(answering("updateFeedback", ({ id, overallRating }) => ({ id, overallRating }))(ask, keys), keys),
          keys,
        ),
        keys,
      );
    },
  },
  {
    id: "reset-in-seconds",
    says: "Reset is the number of seconds left.",
    distort: headed((headers) =>
      headers[reset] === undefined
        ? headers
        : { ...headers, [reset]: String(Math.max(0, Math.round(Number(headers[reset]) - Date.now() / 1000))) },
    ),
  },
  {
    id: "reset-in-milliseconds",
    says: "Reset is Unix time in milliseconds, with a fraction.",
    distort: headed((headers) =>
      headers[reset] === undefined ? headers : { ...headers, [reset]: `${Number(headers[reset]) * 1000}.5` },
    ),
  },
  {
    id: "no-headers-without-a-key",
    says: "A 401 carries none of the three headers.",
    distort: headed((headers, _, got) =>
      got.status === 401
        ? (without(headers, "x-ratelimit-limit", "x-ratelimit-remaining", reset) as Record<string, string>)
        : headers,
    ),
  },
  {
    id: "replies-in-a-list",
    says: "The detail shows developerResponse as a list of all replies.",
    distort: answering("getFeedback", (body) => ({
      ...body,
      developerResponse: body.developerResponse ? [body.developerResponse] : [],
    })),
  },
  {
    id: "testers-create",
    says: "A tester's key may create projects.",
    alter: () =>
      withOperation(
        "createProject",
        (right) => async (input, records, dependencies) =>
          right({ ...input, caller: { ...input.caller, role: "developer" } }, records, dependencies),
      ),
  },
  {
    id: "developers-do-not-test",
    says: "A developer's key may not submit feedback.",
    distort: handling("createFeedback", async (sent, ask, keys) =>
      sent.headers.authorization === `Bearer ${keys.developer}`
        ? refusal(403, await ask({ ...sent, body: {} }))
        : ask(sent),
    ),
  },
  {
    id: "approved-at-once",
    says: "Submitted feedback is approved at once.",
    distort: (ask, keys) => async (sent) => {
      const got = await ask(sent);
      const { id, status } = fieldsOf(got.body);
      if (sent.method === "POST" && sent.path.endsWith("/feedback") && status === "submitted")
        await ask(withKey({ ...sent, path: `/feedback/${id}/approve`, body: undefined }, keys.developer));
      return got;
    },
  },
  {
    id: "to-the-second",
    says: "Timestamps are told to the second, with the offset +00:00.",
    distort: (ask) => async (sent) => {
      const got = await ask(sent);
      return { ...got, body: toTheSecond(got.body) };
    },
  },
  {
    id: "refilled-steadily",
    says: "The allowance is refilled little by little, so that Remaining may stand still.",
    distort: (ask) => {
      const kept = new Map<string, { tokens: number; at: number }>();
      return async (sent) => {
        const got = await ask(sent);
        const limit = Number(got.headers["x-ratelimit-limit"]);
        const key = sent.headers.authorization ?? "";
        const { tokens, at } = kept.get(key) ?? { tokens: limit, at: Date.now() };
        const now = Math.min(limit, tokens + ((Date.now() - at) / 3_600_000) * limit) - 1;
        kept.set(key, { tokens: now, at: Date.now() });
        return { ...got, headers: { ...got.headers, "x-ratelimit-remaining": String(Math.max(0, Math.floor(now))) } };
      };
    },
  },
  {
    id: "search-follows-later",
    says: "A search finds what was created half a second ago, or longer.",
    distort: (ask, keys) => {
      const created = new Map<string, number>();
      return async (sent) => {
        const got = await answering("listProjects", (body) => {
          if (!sent.query.search) return body;
          const data = itemsOf(body).filter(({ id }) => Date.now() - (created.get(String(id)) ?? 0) > 500);
          return {
            ...body,
            data,
            pagination: {
              ...fieldsOf(body.pagination),
              total: Number(fieldsOf(body.pagination).total) - itemsOf(body).length + data.length,
            },
          };
        })(
          ask,
          keys,
        )(sent);
        if (sent.method === "POST" && sent.path === "/projects") created.set(String(fieldsOf(got.body).id), Date.now());
        return got;
      };
    },
  },
  {
    id: "list-to-the-second",
    says: "Lists tell times to the second, details to the millisecond.",
    distort: (ask, keys) =>
      listing("listProjects", (item) => toTheSecond(item) as Fields)(
        listing("listFeedback", (item) => toTheSecond(item) as Fields)(ask, keys),
        keys,
      ),
  },
];
