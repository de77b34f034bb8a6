import { type Fields, fieldsOf, isSuccess, itemsOf } from "../wire.ts";
import {
  type Mutant,
  onWire,
  refusal,
  replaceHandler,
  rewriteBody,
  rewriteItems,
  rewriteRequest,
  without,
  withQuery,
} from "./mutant.ts";

const lists = ["listProjects", "listFeedback"] as const;
const pagination = (body: unknown) => fieldsOf(fieldsOf(body).pagination);
const repaginated =
  (change: (numbers: Record<string, unknown>, held: number) => Record<string, unknown>) =>
  (body: Record<string, unknown>) => ({
    ...body,
    pagination: change(pagination(body), itemsOf(body).length),
  });

/** A search of the server's own, over all projects. */
const searching = (finds: (item: Fields, search: string, n: number) => boolean) =>
  replaceHandler("listProjects", async (sent, ask) => {
    const { search, page = "1", perPage = "20" } = sent.query;
    if (search === undefined) return ask(sent);
    const got = await ask(withQuery(sent, { search: undefined, page: "1", perPage: "100" }));
    const kept = itemsOf(got.body).filter((item, n) => finds(item, search, n));
    const [number, size] = [Number(page), Number(perPage)];
    const data = kept.slice((number - 1) * size, number * size);
    return { ...got, body: { data, pagination: { page: number, perPage: size, total: kept.length } } };
  });

export const listMutants: readonly Mutant[] = [
  ...lists.flatMap((list) => [
    onWire(
      `${list}-total-of-page`,
      "S-PAGE-1",
      `${list}: total counts the page only.`,
      rewriteBody(
        list,
        repaginated((numbers, held) => ({ ...numbers, total: held })),
      ),
    ),
    onWire(
      `${list}-total-plus-one`,
      "S-PAGE-1",
      `${list}: total is one too many.`,
      rewriteBody(
        list,
        repaginated((numbers) => ({ ...numbers, total: Number(numbers.total) + 1 })),
      ),
    ),
    onWire(
      `${list}-total-in-text`,
      "S-PAGE-1",
      `${list}: total is a string.`,
      rewriteBody(
        list,
        repaginated((numbers) => ({ ...numbers, total: String(numbers.total) })),
      ),
    ),
    onWire(
      `${list}-page-from-zero`,
      "S-PAGE-1",
      `${list}: page is told from 0.`,
      rewriteBody(
        list,
        repaginated((numbers) => ({ ...numbers, page: Number(numbers.page) - 1 })),
      ),
    ),
    onWire(
      `${list}-flat-envelope`,
      "S-PAGE-1",
      `${list}: page, perPage and total stand beside data.`,
      rewriteBody(list, (body) => ({ data: body.data, ...pagination(body) })),
    ),
    onWire(
      `${list}-bare-array`,
      "S-PAGE-1",
      `${list} answers a bare array.`,
      rewriteBody(list, (body) => body.data),
    ),
    onWire(
      `${list}-items`,
      "S-PAGE-1",
      `${list} calls its data items.`,
      rewriteBody(list, ({ data, ...body }) => ({ ...body, items: data })),
    ),
    onWire(
      `${list}-no-per-page`,
      "S-PAGE-1",
      `${list} does not tell perPage.`,
      rewriteBody(
        list,
        repaginated((numbers) => without(numbers, "perPage")),
      ),
    ),
    onWire(
      `${list}-total-unfiltered`,
      ["S-PAGE-1", ...(list === "listProjects" ? (["S-PROJ-LIST-5"] as const) : [])],
      `${list}: total counts what the filters leave out too.`,
      replaceHandler(list, async (sent, ask) => {
        const got = await ask(sent);
        const all = await ask({ ...sent, query: {} });
        return isSuccess(got)
          ? {
              ...got,
              body: {
                ...fieldsOf(got.body),
                pagination: { ...pagination(got.body), total: pagination(all.body).total },
              },
            }
          : got;
      }),
    ),
  ]),

  onWire(
    "list-extra-field",
    "S-PROJ-LIST-1",
    "A list item has updatedAt too.",
    rewriteItems("listProjects", (item) => ({ ...item, updatedAt: item.createdAt })),
  ),
  onWire(
    "list-whole-records",
    "S-PROJ-LIST-1",
    "A list item is the whole record.",
    rewriteItems("listProjects", (item) => ({ ...item, screenshots: [], projectUrl: null, stats: {} })),
  ),
  onWire(
    "list-no-description",
    "S-PROJ-LIST-1",
    "A list item has no description.",
    rewriteItems("listProjects", (item) => without(item, "description")),
  ),
  onWire(
    "list-no-created-at",
    "S-PROJ-LIST-1",
    "A list item has no createdAt.",
    rewriteItems("listProjects", (item) => without(item, "createdAt")),
  ),
  onWire(
    "list-short-titles",
    "S-PROJ-LIST-1",
    "A list item's title is cut.",
    rewriteItems("listProjects", (item) => ({ ...item, title: String(item.title).slice(0, 12) })),
  ),
  onWire(
    "list-null-description",
    "S-PROJ-LIST-1",
    "A list item's description is null.",
    rewriteItems("listProjects", (item) => ({ ...item, description: null })),
  ),
  onWire(
    "list-wrong-category",
    "S-PROJ-LIST-1",
    "A list item's category is always web.",
    rewriteItems("listProjects", (item) => ({ ...item, category: "web" })),
  ),
  onWire(
    "list-wrong-status",
    ["S-PROJ-LIST-1", "S-PROJ-LIST-3"],
    "A list item's status is always draft.",
    rewriteItems("listProjects", (item) => ({ ...item, status: "draft" })),
  ),

  ...[10, 25, 50].map((size) =>
    onWire(
      `list-default-${size}`,
      "S-PROJ-LIST-2",
      `Without perPage there are ${size} a page.`,
      rewriteRequest("listProjects", (sent) => withQuery(sent, { perPage: sent.query.perPage ?? String(size) })),
    ),
  ),
  onWire(
    "list-default-page-2",
    "S-PROJ-LIST-2",
    "Without page it is the second.",
    rewriteRequest("listProjects", (sent) => withQuery(sent, { page: sent.query.page ?? "2" })),
  ),
  onWire(
    "list-default-silent-10",
    ["S-PROJ-LIST-2", "S-PAGE-1"],
    "Without perPage there are 10, which it calls 20.",
    rewriteBody("listProjects", (body, sent) =>
      sent.query.perPage ? body : { ...body, data: itemsOf(body).slice(0, 10) },
    ),
  ),
  onWire(
    "list-bound-200",
    "S-PROJ-LIST-2",
    "Up to 200 a page are given.",
    replaceHandler("listProjects", async (sent, ask) => {
      const size = Number(sent.query.perPage ?? 20);
      if (size <= 100 || size > 200) return ask(sent);
      const got = await ask(withQuery(sent, { perPage: "100" }));
      return { ...got, body: { ...fieldsOf(got.body), pagination: { ...pagination(got.body), perPage: size } } };
    }),
  ),
  onWire(
    "list-bound-silent",
    "S-PROJ-LIST-2",
    "A page of 101 is given and called 100.",
    replaceHandler("listProjects", async (sent, ask) => {
      if (sent.query.perPage !== "101") return ask(sent);
      const got = await ask(withQuery(sent, { perPage: "100" }));
      return { ...got, body: { ...fieldsOf(got.body), data: [...itemsOf(got.body), itemsOf(got.body)[0]] } };
    }),
  ),
  onWire(
    "list-bound-50",
    "S-PROJ-LIST-2",
    "More than 50 a page are cut to 50.",
    rewriteRequest("listProjects", (sent) =>
      Number(sent.query.perPage) > 50 ? withQuery(sent, { perPage: "50" }) : sent,
    ),
  ),
  onWire(
    "list-bound-exclusive",
    "S-PROJ-LIST-2",
    "100 a page are refused.",
    replaceHandler("listProjects", async (sent, ask) => {
      const got = await ask(sent);
      return sent.query.perPage === "100" && !sent.query.search ? refusal(400, got) : got;
    }),
  ),
  ...(
    [
      ["listProjects", "S-PROJ-LIST-2"],
      ["listFeedback", "S-FB-LIST-3"],
    ] as const
  ).flatMap(([list, clause]) => [
    onWire(
      `${list}-page-ignored`,
      clause,
      `${list} gives the first page always.`,
      replaceHandler(list, async (sent, ask) => {
        const got = await ask(withQuery(sent, { page: "1" }));
        return isSuccess(got)
          ? {
              ...got,
              body: {
                ...fieldsOf(got.body),
                pagination: { ...pagination(got.body), page: Number(sent.query.page ?? 1) },
              },
            }
          : got;
      }),
    ),
    onWire(
      `${list}-per-page-ignored`,
      [clause, "S-PAGE-1"],
      `${list} gives 20 a page always.`,
      rewriteRequest(list, (sent) => withQuery(sent, { perPage: undefined })),
    ),
    onWire(
      `${list}-page-off-by-one`,
      clause,
      `${list}: a page repeats the last of the one before.`,
      replaceHandler(list, async (sent, ask) => {
        const [page, size] = [Number(sent.query.page ?? 1), Number(sent.query.perPage ?? 20)];
        const got = await ask(sent);
        if (page === 1 || !isSuccess(got)) return got;
        const all = itemsOf((await ask(withQuery(sent, { page: "1", perPage: "100" }))).body);
        return { ...got, body: { ...fieldsOf(got.body), data: all.slice((page - 1) * size - 1, page * size - 1) } };
      }),
    ),
    onWire(
      `${list}-page-skips-one`,
      clause,
      `${list}: a page leaves the first of it out.`,
      replaceHandler(list, async (sent, ask) => {
        const got = await ask(sent);
        return Number(sent.query.page ?? 1) > 1 && isSuccess(got)
          ? { ...got, body: { ...fieldsOf(got.body), data: itemsOf(got.body).slice(1) } }
          : got;
      }),
    ),
  ]),

  onWire(
    "status-ignored",
    "S-PROJ-LIST-3",
    "The project list's status is ignored.",
    rewriteRequest("listProjects", (sent) => withQuery(sent, { status: undefined })),
  ),
  onWire(
    "status-archived-refused",
    "S-PROJ-LIST-3",
    "status=archived is refused.",
    replaceHandler("listProjects", async (sent, ask) =>
      sent.query.status === "archived" && !sent.query.category ? refusal(400, await ask(sent)) : ask(sent),
    ),
  ),
  onWire(
    "status-completed-and-archived",
    "S-PROJ-LIST-3",
    "status=completed lists archived projects too.",
    replaceHandler("listProjects", async (sent, ask) => {
      const got = await ask(sent);
      if (sent.query.status !== "completed") return got;
      const more = await ask(withQuery(sent, { status: "archived" }));
      return {
        ...got,
        body: {
          data: [...itemsOf(got.body), ...itemsOf(more.body)].slice(0, 100),
          pagination: {
            ...pagination(got.body),
            total: Number(pagination(got.body).total) + Number(pagination(more.body).total),
          },
        },
      };
    }),
  ),
  onWire(
    "status-active-finds-none",
    "S-PROJ-LIST-3",
    "status=active finds nothing.",
    rewriteRequest("listProjects", (sent) =>
      sent.query.status === "active" && !sent.query.category ? withQuery(sent, { search: "nothing" }) : sent,
    ),
  ),
  onWire(
    "status-ignored-with-category",
    "S-PROJ-LIST-3",
    "status is ignored where category is given.",
    rewriteRequest("listProjects", (sent) => (sent.query.category ? withQuery(sent, { status: undefined }) : sent)),
  ),
  onWire(
    "category-ignored",
    "S-PROJ-LIST-4",
    "The project list's category is ignored.",
    rewriteRequest("listProjects", (sent) => withQuery(sent, { category: undefined })),
  ),
  onWire(
    "category-other-refused",
    "S-PROJ-LIST-4",
    "category=other is refused.",
    replaceHandler("listProjects", async (sent, ask) =>
      sent.query.category === "other" ? refusal(400, await ask(sent)) : ask(sent),
    ),
  ),
  onWire(
    "category-desktop-as-mobile",
    "S-PROJ-LIST-4",
    "category=desktop lists mobile projects.",
    rewriteRequest("listProjects", (sent) =>
      sent.query.category === "desktop" ? withQuery(sent, { category: "mobile" }) : sent,
    ),
  ),
  onWire(
    "category-ignored-with-status",
    "S-PROJ-LIST-4",
    "category is ignored where status is given.",
    rewriteRequest("listProjects", (sent) => (sent.query.status ? withQuery(sent, { category: undefined }) : sent)),
  ),
  onWire(
    "category-other-is-all",
    "S-PROJ-LIST-4",
    "category=other is no filter.",
    rewriteRequest("listProjects", (sent) =>
      sent.query.category === "other" ? withQuery(sent, { category: undefined }) : sent,
    ),
  ),

  ...(["title", "description"] as const).map((field) =>
    onWire(
      `search-${field}-only`,
      "S-PROJ-LIST-5",
      `A search looks at ${field}s alone.`,
      searching((item, search) => String(item[field]).toLowerCase().includes(search)),
    ),
  ),
  onWire(
    "search-ignored",
    "S-PROJ-LIST-5",
    "search is ignored.",
    rewriteRequest("listProjects", (sent) => withQuery(sent, { search: undefined })),
  ),
  onWire(
    "search-finds-nothing",
    "S-PROJ-LIST-5",
    "search finds nothing.",
    rewriteRequest("listProjects", (sent) => (sent.query.search ? withQuery(sent, { search: "nowhere" }) : sent)),
  ),
  onWire(
    "search-all-when-none",
    "S-PROJ-LIST-5",
    "A search without a match lists everything.",
    replaceHandler("listProjects", async (sent, ask) => {
      const got = await ask(sent);
      return sent.query.search && itemsOf(got.body).length === 0 ? ask(withQuery(sent, { search: undefined })) : got;
    }),
  ),
  onWire(
    "search-on-page",
    ["S-PROJ-LIST-5", "S-PROJ-LIST-2", "S-PAGE-1"],
    "A search looks through the first two projects alone.",
    searching((item, search, n) => n < 2 && `${item.title} ${item.description}`.toLowerCase().includes(search)),
  ),

  onWire(
    "feedback-list-comments",
    "S-FB-LIST-1",
    "A feedback item holds the comments too.",
    rewriteItems("listFeedback", (item) => ({ ...item, generalComments: "" })),
  ),
  onWire(
    "feedback-list-no-tester",
    "S-FB-LIST-1",
    "A feedback item has no testerId.",
    rewriteItems("listFeedback", (item) => without(item, "testerId")),
  ),
  onWire(
    "feedback-list-no-project",
    "S-FB-LIST-1",
    "A feedback item has no projectId.",
    rewriteItems("listFeedback", (item) => without(item, "projectId")),
  ),
  onWire(
    "feedback-list-no-date",
    "S-FB-LIST-1",
    "A feedback item has no createdAt.",
    rewriteItems("listFeedback", (item) => without(item, "createdAt")),
  ),
  onWire(
    "feedback-list-rating-in-text",
    "S-FB-LIST-1",
    "A feedback item's rating is a string.",
    rewriteItems("listFeedback", (item) => ({ ...item, overallRating: String(item.overallRating) })),
  ),
  onWire(
    "feedback-list-wrong-rating",
    "S-FB-LIST-1",
    "A feedback item's rating is 3 always.",
    rewriteItems("listFeedback", (item) => ({ ...item, overallRating: 3 })),
  ),
  onWire(
    "feedback-list-numeric-ids",
    "S-FB-LIST-1",
    "A feedback item's projectId is a number.",
    rewriteItems("listFeedback", (item) => ({ ...item, projectId: 7 })),
  ),
  onWire(
    "feedback-list-lacks-one",
    ["S-FB-LIST-1", "S-FB-LIST-3"],
    "The list leaves out what the first tester sent first.",
    (ask, keys, server) => {
      let first: unknown;
      return async (sent) => {
        const got = await rewriteBody("listFeedback", (body) => {
          const kept = itemsOf(body).filter(({ id }) => id !== first);
          return {
            ...body,
            data: kept,
            pagination: {
              ...pagination(body),
              total: Number(pagination(body).total) - (itemsOf(body).length - kept.length),
            },
          };
        })(
          ask,
          keys,
          server,
        )(sent);
        if (sent.method === "POST" && sent.path.endsWith("/feedback")) first ??= fieldsOf(got.body).id;
        return got;
      };
    },
  ),
  onWire("feedback-list-of-all-projects", "S-FB-LIST-1", "The list holds the feedback of every project.", (ask) => {
    const paths = new Set<string>();
    return async (sent) => {
      const got = await ask(sent);
      if (!sent.path.endsWith("/feedback")) return got;
      if (sent.method === "POST" && isSuccess(got)) paths.add(sent.path);
      if (sent.method !== "GET" || !isSuccess(got) || Object.keys(sent.query).length > 0) return got;
      const data = [];
      for (const path of paths) data.push(...itemsOf((await ask({ ...sent, path })).body));
      return { ...got, body: { data, pagination: { ...pagination(got.body), total: data.length } } };
    };
  }),
  onWire(
    "feedback-status-ignored",
    "S-FB-LIST-2",
    "The feedback list's status is ignored.",
    rewriteRequest("listFeedback", (sent) => withQuery(sent, { status: undefined })),
  ),
  onWire(
    "feedback-status-rejected-refused",
    "S-FB-LIST-2",
    "status=rejected is refused.",
    replaceHandler("listFeedback", async (sent, ask) =>
      sent.query.status === "rejected" ? refusal(422, await ask(sent)) : ask(sent),
    ),
  ),
  onWire(
    "feedback-status-approved-is-submitted",
    "S-FB-LIST-2",
    "status=approved lists submitted feedback.",
    rewriteRequest("listFeedback", (sent) =>
      sent.query.status === "approved" ? withQuery(sent, { status: "submitted" }) : sent,
    ),
  ),
  onWire(
    "feedback-status-finds-none",
    "S-FB-LIST-2",
    "status=submitted finds nothing.",
    rewriteRequest("listFeedback", (sent) =>
      sent.query.status === "submitted" ? withQuery(sent, { status: "rejected" }) : sent,
    ),
  ),
  onWire(
    "feedback-tester-ignored",
    "S-FB-LIST-2",
    "The feedback list's testerId is ignored.",
    rewriteRequest("listFeedback", (sent) => withQuery(sent, { testerId: undefined })),
  ),
  onWire(
    "feedback-tester-finds-none",
    "S-FB-LIST-2",
    "testerId finds nothing.",
    rewriteRequest("listFeedback", (sent) => (sent.query.testerId ? withQuery(sent, { testerId: "nobody" }) : sent)),
  ),
  onWire(
    "feedback-tester-is-caller",
    "S-FB-LIST-2",
    "testerId, whatever it is, keeps the caller's own.",
    replaceHandler("listFeedback", async (sent, ask) => {
      if (!sent.query.testerId) return ask(sent);
      const own = itemsOf((await ask(withQuery(sent, { testerId: undefined }))).body).find(
        ({ overallRating }) => overallRating !== 2,
      );
      return ask(withQuery(sent, { testerId: String(own?.testerId) }));
    }),
  ),
  ...(["date", "rating", "helpful"] as const).map((key) =>
    onWire(
      `sort-${key}-ignored`,
      ["S-FB-LIST-3", ...(key === "helpful" ? (["S-FB-HELP-1"] as const) : [])],
      `sort=${key} sorts by ${key === "date" ? "rating" : "date"}.`,
      rewriteRequest("listFeedback", (sent) =>
        sent.query.sort === key ? withQuery(sent, { sort: key === "date" ? "rating" : "date" }) : sent,
      ),
    ),
  ),
  onWire(
    "sort-helpful-as-rating",
    ["S-FB-LIST-3", "S-FB-HELP-1"],
    "sort=helpful sorts by rating.",
    rewriteRequest("listFeedback", (sent) =>
      sent.query.sort === "helpful" ? withQuery(sent, { sort: "rating" }) : sent,
    ),
  ),
  onWire(
    "sort-refused",
    "S-FB-LIST-3",
    "sort=rating is refused.",
    replaceHandler("listFeedback", async (sent, ask) =>
      sent.query.sort === "rating" ? refusal(400, await ask(sent)) : ask(sent),
    ),
  ),
  onWire(
    "sort-within-page",
    "S-FB-LIST-3",
    "sort=rating sorts the page that the date gives.",
    replaceHandler("listFeedback", async (sent, ask) => {
      if (sent.query.sort !== "rating") return ask(sent);
      const got = await ask(withQuery(sent, { sort: "date" }));
      return {
        ...got,
        body: {
          ...fieldsOf(got.body),
          data: itemsOf(got.body).sort((one, other) => Number(other.overallRating) - Number(one.overallRating)),
        },
      };
    }),
  ),
];
