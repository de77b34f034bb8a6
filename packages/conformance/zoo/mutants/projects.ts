import { type Fields, fieldsOf, isSuccess, type WireRequest } from "../wire.ts";
import {
  type Mutant,
  onWire,
  refusal,
  replaceHandler,
  rewriteBody,
  rewriteItems,
  rewriteRequest,
  without,
} from "./mutant.ts";

const records = ["createProject", "getProject", "updateProject"] as const;
const detail = (change: (body: Fields) => unknown) => rewriteBody("getProject", change);
const stored = (change: (body: Fields) => Fields) =>
  rewriteRequest("createProject", (sent) => ({ ...sent, body: change(fieldsOf(sent.body)) }));
const stats = (change: (counts: Fields) => unknown) =>
  detail((body) => ({ ...body, stats: change(fieldsOf(body.stats)) }));
const everyRecord =
  (change: (record: Fields) => Fields): NonNullable<Mutant["intercept"]> =>
  (ask, keys, server) =>
    rewriteBody(records, change)(rewriteItems("listProjects", change)(ask, keys, server), keys, server);

/** A PATCH that sends more than it was sent. */
const patchedWith = (more: (sent: Fields) => Fields) =>
  rewriteRequest("updateProject", (sent: WireRequest) => ({
    ...sent,
    body: { ...more(fieldsOf(sent.body)), ...fieldsOf(sent.body) },
  }));

export const projectMutants: readonly Mutant[] = [
  onWire(
    "detail-no-stats",
    "S-PROJ-GET-1",
    "The detail has no stats.",
    detail((body) => without(body, "stats")),
  ),
  onWire(
    "detail-stats-in-text",
    "S-PROJ-GET-1",
    "The detail's counts are strings.",
    stats((counts) => Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, String(value)]))),
  ),
  ...["views", "testerRequests", "approvedTesters", "feedbackCount"].map((name) =>
    onWire(
      `detail-no-${name}`,
      "S-PROJ-GET-1",
      `stats lacks ${name}.`,
      stats((counts) => without(counts, name)),
    ),
  ),
  ...["screenshots", "projectUrl"].map((name) =>
    onWire(
      `detail-no-${name}`,
      ["S-PROJ-GET-1", "S-PROJ-CREATE-2", "S-PROJ-PATCH-1"],
      `The detail has no ${name}.`,
      detail((body) => without(body, name)),
    ),
  ),
  onWire(
    "detail-no-updatedAt",
    "S-PROJ-GET-1",
    "The detail has no updatedAt.",
    detail((body) => without(body, "updatedAt")),
  ),
  onWire(
    "detail-no-status",
    ["S-PROJ-GET-1", "S-PROJ-LIST-1"],
    "The detail has no status.",
    detail((body) => without(body, "status")),
  ),
  onWire(
    "detail-wrapped",
    ["S-PROJ-GET-1", "S-PROJ-CREATE-2", "S-PROJ-LIST-1"],
    "The detail is wrapped in `project`.",
    detail((body) => ({ project: body })),
  ),
  onWire(
    "detail-of-another",
    ["S-PROJ-GET-1", "S-PROJ-CREATE-2", "S-PROJ-PATCH-1", "S-PROJ-DELETE-1"],
    "The detail is that of the project read first.",
    (ask, keys, server) => {
      let first: string | undefined;
      return replaceHandler("getProject", async (sent) => {
        const got = await ask(sent);
        if (isSuccess(got)) first ??= sent.path;
        return isSuccess(got) && first ? ask({ ...sent, path: first }) : got;
      })(ask, keys, server);
    },
  ),

  onWire(
    "create-no-title",
    "S-PROJ-CREATE-1",
    "Creation answers no title.",
    rewriteBody("createProject", (body) => without(body, "title")),
  ),
  onWire(
    "create-other-title",
    "S-PROJ-CREATE-1",
    "Creation answers another title.",
    rewriteBody("createProject", (body) => ({ ...body, title: "Untitled" })),
  ),
  onWire(
    "create-no-id",
    "S-PROJ-CREATE-1",
    "Creation answers no id.",
    rewriteBody("createProject", (body) => without(body, "id")),
  ),
  onWire(
    "create-refuses-requirements",
    "S-PROJ-CREATE-1",
    "Creation refuses testingRequirements.",
    replaceHandler("createProject", async (sent, ask) => {
      const got = await ask({ ...sent, body: {} });
      return got.status === 400 && fieldsOf(sent.body).testingRequirements ? refusal(400, got) : ask(sent);
    }),
  ),
  onWire(
    "create-refuses-desktop",
    ["S-PROJ-CREATE-1", "S-PROJ-TYPE-1"],
    "Creation refuses the category desktop.",
    replaceHandler("createProject", async (sent, ask) =>
      fieldsOf(sent.body).category === "desktop" ? refusal(422, await ask({ ...sent, body: {} })) : ask(sent),
    ),
  ),
  onWire(
    "create-answers-wrong-category",
    "S-PROJ-CREATE-1",
    "Creation answers the category other always.",
    rewriteBody("createProject", (body) => ({ ...body, category: "other" })),
  ),
  onWire(
    "store-no-url",
    ["S-PROJ-CREATE-2", "S-PROJ-CREATE-1", "S-PROJ-GET-1"],
    "projectUrl is not kept.",
    stored((body) => without(body, "projectUrl")),
  ),
  onWire(
    "store-first-screenshot",
    ["S-PROJ-CREATE-2", "S-PROJ-CREATE-1"],
    "The first screenshot alone is kept.",
    stored((body) => ({ ...body, screenshots: (body.screenshots as string[]).slice(0, 1) })),
  ),
  onWire(
    "store-screenshots-sorted",
    ["S-PROJ-CREATE-2", "S-PROJ-CREATE-1"],
    "Screenshots are kept in another order.",
    stored((body) => ({ ...body, screenshots: (body.screenshots as string[]).toReversed() })),
  ),
  onWire(
    "store-category-web",
    ["S-PROJ-CREATE-2", "S-PROJ-CREATE-1", "S-PROJ-LIST-1"],
    "Every project is kept as web.",
    stored((body) => ({ ...body, category: "web" })),
  ),
  onWire(
    "store-escaped",
    ["S-PROJ-CREATE-2", "S-PROJ-CREATE-1", "S-PROJ-LIST-1"],
    "Texts are kept escaped for HTML.",
    stored((body) => ({
      ...body,
      description: String(body.description).replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
    })),
  ),
  onWire(
    "store-ascii",
    ["S-PROJ-CREATE-2", "S-PROJ-CREATE-1", "S-PROJ-LIST-1"],
    "Letters beyond ASCII become question marks.",
    stored((body) => ({ ...body, description: String(body.description).replace(/[^ -~]/g, "?") })),
  ),
  onWire(
    "store-requirements-wrong",
    "S-PROJ-CREATE-2",
    "minTesters is kept as 1.",
    stored((body) => ({ ...body, testingRequirements: { ...fieldsOf(body.testingRequirements), minTesters: 1 } })),
  ),
  onWire(
    "read-short-description",
    ["S-PROJ-CREATE-2", "S-PROJ-PATCH-1"],
    "The detail's description is cut.",
    detail((body) => ({ ...body, description: String(body.description).slice(0, 20) })),
  ),

  onWire(
    "patch-drops-description",
    "S-PROJ-PATCH-1",
    "A new title resets the description.",
    patchedWith(() => ({ description: "None." })),
  ),
  onWire(
    "patch-drops-screenshots",
    "S-PROJ-PATCH-1",
    "A PATCH drops the screenshots.",
    patchedWith(() => ({ screenshots: [] })),
  ),
  onWire(
    "patch-drops-url",
    "S-PROJ-PATCH-1",
    "A PATCH drops projectUrl.",
    patchedWith(() => ({ projectUrl: null })),
  ),
  onWire(
    "patch-resets-category",
    "S-PROJ-PATCH-1",
    "A PATCH sets the category back to web.",
    patchedWith(() => ({ category: "web" })),
  ),
  onWire(
    "patch-drops-requirements",
    "S-PROJ-PATCH-1",
    "A PATCH drops testingRequirements.",
    patchedWith(() => ({ testingRequirements: null })),
  ),
  onWire(
    "patch-archives",
    "S-PROJ-PATCH-1",
    "A PATCH archives the project.",
    patchedWith(() => ({ status: "archived" })),
  ),
  onWire(
    "patch-title-reset",
    "S-PROJ-PATCH-1",
    "A new description resets the title.",
    patchedWith((sent) => (sent.description ? { title: "Untitled" } : {})),
  ),
  ...["title", "description"].map((name) =>
    onWire(
      `patch-ignores-${name}`,
      "S-PROJ-PATCH-1",
      `A PATCH of the ${name} is ignored.`,
      rewriteRequest("updateProject", (sent) => ({ ...sent, body: without(fieldsOf(sent.body), name) })),
    ),
  ),
  onWire(
    "patch-not-stored",
    "S-PROJ-PATCH-1",
    "A PATCH is answered and not kept.",
    replaceHandler("updateProject", async (sent, ask) => {
      const got = await ask({ ...sent, body: {} });
      return isSuccess(got) ? { ...got, body: { ...fieldsOf(got.body), ...fieldsOf(sent.body) } } : got;
    }),
  ),
  onWire(
    "patch-answers-old",
    "S-PROJ-PATCH-1",
    "A PATCH answers the record as it was.",
    replaceHandler("updateProject", async (sent, ask) => {
      const before = await ask({ ...sent, method: "GET", body: undefined });
      const got = await ask(sent);
      return isSuccess(got) ? { ...got, body: before.body } : got;
    }),
  ),
  onWire(
    "patch-answers-success",
    "S-PROJ-PATCH-1",
    "A PATCH answers {success: true} alone.",
    rewriteBody("updateProject", () => ({ success: true })),
  ),
  onWire(
    "patch-answers-no-id",
    "S-PROJ-PATCH-1",
    "A PATCH answers no id.",
    rewriteBody("updateProject", (body) => without(body, "id")),
  ),
  onWire(
    "patch-refused",
    "S-PROJ-PATCH-1",
    "A PATCH needs every field.",
    replaceHandler("updateProject", async (sent, ask) => {
      const got = await ask({ ...sent, body: { unknown: 1 } });
      return got.status === 400 ? refusal(400, got) : got;
    }),
  ),
  onWire("patch-renews", ["S-PROJ-PATCH-1"], "A PATCH sets createdAt anew.", (ask) => {
    const renewed = new Map<string, string>();
    return async (sent) => {
      const got = await ask(sent);
      if (sent.method === "PATCH" && isSuccess(got)) renewed.set(sent.path, "2031-01-01T00:00:00.000Z");
      const createdAt = renewed.get(sent.path);
      return createdAt && isSuccess(got) && sent.path.startsWith("/projects/") && sent.method !== "DELETE"
        ? { ...got, body: { ...fieldsOf(got.body), createdAt } }
        : got;
    };
  }),

  onWire(
    "delete-success-in-text",
    "S-PROJ-DELETE-1",
    "DELETE answers success as a string.",
    rewriteBody("deleteProject", (body) => ({ ...body, success: "true" })),
  ),
  onWire(
    "delete-success-false",
    "S-PROJ-DELETE-1",
    "DELETE answers success: false.",
    rewriteBody("deleteProject", (body) => ({ ...body, success: false })),
  ),
  onWire(
    "delete-no-message",
    "S-PROJ-DELETE-1",
    "DELETE answers no message.",
    rewriteBody("deleteProject", (body) => without(body, "message")),
  ),
  onWire("delete-empty", "S-PROJ-DELETE-1", "DELETE answers 204 without a body.", (ask, keys, server) =>
    replaceHandler("deleteProject", async (sent) => {
      const got = await ask(sent);
      return isSuccess(got) ? { ...got, status: 204, body: undefined } : got;
    })(ask, keys, server),
  ),
  onWire(
    "delete-refused",
    "S-PROJ-DELETE-1",
    "DELETE is not offered.",
    replaceHandler("deleteProject", async (sent, ask, keys) => {
      const got = await ask({ ...sent, path: "/projects/none" });
      // So that nothing is left standing here, it does delete what its owner deletes a second time.
      return got.status === 404 && keys ? refusal(405, got) : got;
    }),
  ),
  onWire("delete-still-read", "S-PROJ-DELETE-1", "A deleted project can still be read.", (ask) => {
    const last = new Map<string, Awaited<ReturnType<typeof ask>>>();
    return async (sent) => {
      const got = await ask(sent);
      if (sent.method !== "GET" || !/^\/projects\/[^/]+$/.test(sent.path)) return got;
      if (isSuccess(got)) last.set(sent.path, got);
      return got.status === 404 ? { ...(last.get(sent.path) ?? got), headers: got.headers } : got;
    };
  }),
  onWire(
    "delete-still-read-by-testers",
    "S-PROJ-DELETE-1",
    "A deleted project can still be read by others.",
    (ask, keys, _server) => {
      const last = new Map<string, Awaited<ReturnType<typeof ask>>>();
      return async (sent) => {
        const got = await ask(sent);
        if (sent.method !== "GET" || !/^\/projects\/[^/]+$/.test(sent.path)) return got;
        if (isSuccess(got)) last.set(sent.path, got);
        const others = sent.headers.authorization === `Bearer ${keys.tester}`;
        return got.status === 404 && others ? { ...(last.get(sent.path) ?? got), headers: got.headers } : got;
      };
    },
  ),
  onWire("delete-still-listed", "S-PROJ-DELETE-1", "A deleted project is still listed.", (ask, keys, server) => {
    const gone: Fields[] = [];
    return async (sent) => {
      const before = sent.method === "DELETE" ? fieldsOf((await ask({ ...sent, method: "GET" })).body) : {};
      const got = await ask(sent);
      if (sent.method === "DELETE" && isSuccess(got)) gone.push(before);
      const { search, category } = sent.query;
      return rewriteBody("listProjects", (body) => {
        const still = gone.filter(
          (project) => search && String(project.title).includes(search) && (!category || project.category === category),
        );
        const { id, title, description, category: kind, status, createdAt } = still[0] ?? {};
        const more = still.length > 0 ? [{ id, title, description, category: kind, status, createdAt }] : [];
        const numbers = fieldsOf(body.pagination);
        return {
          data: [...(body.data as unknown[]), ...more],
          pagination: { ...numbers, total: Number(numbers.total) + more.length },
        };
      })(
        async () => got,
        keys,
        server,
      )(sent);
    };
  }),

  onWire("type-numeric-ids", "S-PROJ-TYPE-1", "Project ids are numbers.", (ask) => {
    const ids = new Map<number, string>();
    const number = (id: unknown) => {
      const found = [...ids].find(([, known]) => known === id)?.[0];
      if (found !== undefined) return found;
      ids.set(ids.size + 900_001, String(id));
      return ids.size + 900_000;
    };
    const renumber = (text: unknown): unknown =>
      JSON.parse(
        JSON.stringify(text ?? null)
          .replace(/"id":"(prj_\w+)"/g, (_, id) => `"id":${number(id)}`)
          .replace(/"(prj_\w+)"/g, (_, id) => `"${number(id)}"`),
      );
    return async (sent) => {
      const path = sent.path.replace(/\d{6}/, (digits) => ids.get(Number(digits)) ?? digits);
      const got = await ask({ ...sent, path });
      return got.body === undefined ? got : { ...got, body: renumber(got.body) };
    };
  }),
  onWire(
    "type-unix-time",
    ["S-PROJ-TYPE-1", "S-PROJ-GET-1", "S-PROJ-LIST-1"],
    "Timestamps are Unix time.",
    everyRecord((record) => ({ ...record, createdAt: Date.parse(String(record.createdAt)) })),
  ),
  onWire(
    "type-local-time",
    "S-PROJ-TYPE-1",
    "Timestamps have the offset of a place.",
    everyRecord((record) => ({
      ...record,
      createdAt: new Date(Date.parse(String(record.createdAt)) + 7_200_000).toISOString().replace("Z", "+02:00"),
    })),
  ),
  onWire(
    "type-zoneless",
    "S-PROJ-TYPE-1",
    "Timestamps have no zone.",
    everyRecord((record) => ({
      ...record,
      ...(record.updatedAt ? { updatedAt: String(record.updatedAt).replace("Z", "") } : {}),
      createdAt: String(record.createdAt).replace("Z", ""),
    })),
  ),
  onWire(
    "type-updated-date",
    "S-PROJ-TYPE-1",
    "updatedAt is a date.",
    detail((body) => ({ ...body, updatedAt: String(body.updatedAt).slice(0, 10) })),
  ),
  onWire(
    "type-status-capital",
    ["S-PROJ-TYPE-1", "S-PROJ-LIST-3"],
    "A status is written in capitals.",
    everyRecord((record) => ({ ...record, status: String(record.status).toUpperCase() })),
  ),
  onWire(
    "type-status-published",
    ["S-PROJ-TYPE-1", "S-PROJ-LIST-1"],
    "An active project's status is `published` in its detail.",
    detail((body) => ({ ...body, status: "published" })),
  ),
  onWire(
    "type-category-capital",
    ["S-PROJ-TYPE-1", "S-PROJ-CREATE-2", "S-PROJ-PATCH-1"],
    "A category has a capital in the detail.",
    detail((body) => ({
      ...body,
      category: `${String(body.category).slice(0, 1).toUpperCase()}${String(body.category).slice(1)}`,
    })),
  ),
];
