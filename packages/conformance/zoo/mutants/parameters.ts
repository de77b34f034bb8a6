import { type Fields, fieldsOf, isSuccess, itemsOf, type Keys, type WireRequest } from "../wire.ts";
import { type Mutant, onWire, replaceHandler, without, withQuery } from "./mutant.ts";

const byRole =
  (role: "developer" | "tester") =>
  ({ headers }: WireRequest, keys: Keys) =>
    headers.authorization === `Bearer ${keys[role]}`;

/** Situations in which a list is asked for: beside a parameter, on a later page, by one role. */
interface Situation {
  readonly id: string;
  readonly description: string;
  readonly meant: (request: WireRequest, keys: Keys) => boolean;
}

const beside = (name: string): Situation => ({
  id: `beside-${name}`,
  description: `beside ${name}`,
  meant: ({ query }) => query[name] !== undefined,
});
const laterPage: Situation = {
  id: "on-page-2",
  description: "on page 2 and later",
  meant: ({ query }) => Number(query.page) > 1,
};
const roles: readonly Situation[] = (["developer", "tester"] as const).map((role) => ({
  id: `for-${role}s`,
  description: `for ${role}s`,
  meant: byRole(role),
}));

const clauseOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  listProjects: {
    status: "S-PROJ-LIST-3",
    category: "S-PROJ-LIST-4",
    search: "S-PROJ-LIST-5",
    page: "S-PROJ-LIST-2",
    perPage: "S-PROJ-LIST-2",
  },
  listFeedback: {
    status: "S-FB-LIST-2",
    testerId: "S-FB-LIST-2",
    sort: "S-FB-LIST-3",
    page: "S-FB-LIST-3",
    perPage: "S-FB-LIST-3",
  },
};

/** A parameter of a list that is ignored in a situation. */
const ignored = (operation: string, parameter: string, { id, description, meant }: Situation): Mutant =>
  onWire(
    `${operation}-${parameter}-ignored-${id}`,
    clauseOf[operation]?.[parameter] ?? "S-PAGE-1",
    `${operation} ignores ${parameter} ${description}.`,
    replaceHandler(operation, async (request, ask, keys) =>
      ask(meant(request, keys) ? withQuery(request, { [parameter]: undefined }) : request),
    ),
  );

/** Items or numbers of a list that are wrong in a situation. */
const wrongList = (
  operation: string,
  what: string,
  breaks: string | readonly [string, ...string[]],
  { id, description, meant }: Situation,
  change: (body: Fields) => Fields,
): Mutant =>
  onWire(
    `${operation}-${what}-${id}`,
    breaks,
    `${operation}: ${what.replaceAll("-", " ")} ${description}.`,
    replaceHandler(operation, async (request, ask, keys) => {
      const got = await ask(request);
      return isSuccess(got) && meant(request, keys) ? { ...got, body: change(fieldsOf(got.body)) } : got;
    }),
  );

const items = (change: (item: Fields) => Fields) => (body: Fields) => ({ ...body, data: itemsOf(body).map(change) });
const total = (change: (told: number, held: number) => number) => (body: Fields) => {
  const pagination = fieldsOf(body.pagination);
  return { ...body, pagination: { ...pagination, total: change(Number(pagination.total), itemsOf(body).length) } };
};

const lists = {
  listProjects: ["status", "category", "search", "perPage"],
  listFeedback: ["status", "testerId", "sort", "perPage"],
} as const;

const itemClause = { listProjects: "S-PROJ-LIST-1", listFeedback: "S-FB-LIST-1" } as const;

export const parameterMutants: readonly Mutant[] = (["listProjects", "listFeedback"] as const).flatMap((operation) => {
  const situations = [...lists[operation].map(beside), laterPage, ...roles];
  const parameters = Object.keys(clauseOf[operation] ?? {});
  const cut = operation === "listProjects" ? "description" : "createdAt";
  return [
    ...parameters
      .filter((parameter) => parameter !== "page" && parameter !== "perPage")
      .flatMap((parameter) =>
        situations
          .filter(({ id }) => id !== `beside-${parameter}`)
          .map((situation) => ignored(operation, parameter, situation)),
      ),
    ...situations.flatMap((situation) => [
      wrongList(
        operation,
        "an-extra-field",
        itemClause[operation],
        situation,
        items((item) => ({ ...item, updatedAt: item.createdAt })),
      ),
      wrongList(
        operation,
        "a-missing-field",
        itemClause[operation],
        situation,
        items((item) => without(item, cut)),
      ),
      wrongList(
        operation,
        "a-total-too-high",
        "S-PAGE-1",
        situation,
        total((told) => told + 1),
      ),
      wrongList(
        operation,
        "a-total-of-the-page",
        "S-PAGE-1",
        situation,
        total((_, held) => held + 1),
      ),
    ]),
    ...roles.map((situation) => ignored(operation, "page", situation)),
    ...(operation === "listProjects"
      ? [
          ...situations.map((situation) =>
            wrongList(
              operation,
              "short-titles",
              "S-PROJ-LIST-1",
              situation,
              items((item) => ({ ...item, title: String(item.title).slice(0, 18) })),
            ),
          ),
          onWire(
            "listProjects-bound-on-page-2",
            "S-PROJ-LIST-2",
            "A page of 101 is told on page 2.",
            replaceHandler("listProjects", async (request, ask) => {
              if (Number(request.query.perPage) <= 100 || request.query.page !== "2") return ask(request);
              const got = await ask(withQuery(request, { perPage: "100" }));
              const body = fieldsOf(got.body);
              return { ...got, body: { ...body, pagination: { ...fieldsOf(body.pagination), perPage: 101 } } };
            }),
          ),
          onWire(
            "listProjects-two-filters-total",
            ["S-PAGE-1", "S-PROJ-LIST-3", "S-PROJ-LIST-4"],
            "Under two filters the total is that of the first.",
            replaceHandler("listProjects", async (request, ask) => {
              const got = await ask(request);
              const named = ["status", "category", "search"].filter((name) => request.query[name] !== undefined);
              if (named.length < 2 || !isSuccess(got)) return got;
              const wider = await ask(withQuery(request, { [named[1] ?? ""]: undefined }));
              const told = fieldsOf(fieldsOf(wider.body).pagination).total;
              return { ...got, body: total(() => Number(told))(fieldsOf(got.body)) };
            }),
          ),
        ]
      : [
          onWire(
            "listFeedback-ratings-as-text",
            "S-FB-LIST-3",
            "sort=rating compares ratings as text.",
            replaceHandler("listFeedback", async (request, ask) => {
              if (request.query.sort !== "rating") return ask(request);
              const got = await ask(withQuery(request, { page: "1", perPage: "100" }));
              const all = itemsOf(got.body).sort((one, other) =>
                String(one.overallRating) < String(other.overallRating) ? 1 : -1,
              );
              const [page, perPage] = [Number(request.query.page ?? 1), Number(request.query.perPage ?? 20)];
              const data = all.slice((page - 1) * perPage, page * perPage);
              return { ...got, body: { data, pagination: { page, perPage, total: all.length } } };
            }),
            {
              choices: { rating: { min: 0, max: 100, step: 10 } },
              declares: { limits: { rating: { min: 0, max: 100, step: 10 } } },
            },
          ),
          onWire(
            "listFeedback-sort-needs-perPage",
            "S-FB-LIST-3",
            "sort is ignored without perPage.",
            replaceHandler("listFeedback", async (request, ask) =>
              ask(request.query.perPage === undefined ? withQuery(request, { sort: undefined }) : request),
            ),
          ),
          onWire(
            "listFeedback-page-of-one",
            ["S-FB-LIST-3", "S-PAGE-1"],
            "A page of one holds two.",
            replaceHandler("listFeedback", async (request, ask) => {
              if (request.query.perPage !== "1") return ask(request);
              const got = await ask(withQuery(request, { perPage: "2" }));
              const body = fieldsOf(got.body);
              return { ...got, body: { ...body, pagination: { ...fieldsOf(body.pagination), perPage: 1 } } };
            }),
          ),
        ]),
  ];
});
