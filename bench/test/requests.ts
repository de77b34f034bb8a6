import { fullFeedback, fullProject } from "@project-feedback/server/testing/samples";
import { type AccountName, type Fixture, idOf } from "./fixture.ts";

/** One request of the comparison. */
export interface TestRequest {
  readonly as: AccountName | { readonly authorization: string } | null;
  readonly method?: "GET" | "POST";
  /** Below /v1. */
  readonly path: string;
  /** Sent as JSON; text is sent as it is. */
  readonly body?: unknown;
  /** `application/json` where it is left out. */
  readonly contentType?: string;
  readonly idempotencyKey?: string;
  /** The status of our server's response. */
  readonly status: number;
}

/** The floor's requests: reads by an account with neither projects nor feedback. */
export function readsOn({ projects: { busy, completed } }: Fixture): TestRequest[] {
  const paths = [
    "/projects",
    "/projects?page=2&perPage=7",
    "/projects?status=active&category=web",
    "/projects?search=plan+garden",
    `/projects/${busy}`,
    `/projects/${busy}/feedback`,
    `/projects/${busy}/feedback?sort=rating&perPage=5&page=2`,
    `/projects/${busy}/feedback?sort=helpful&status=approved`,
    `/projects/${completed}/feedback?testerId=${idOf("other")}`,
  ];
  return paths.map((path) => ({ as: "reader", path, status: 200 }));
}

/** The requests to all servers, in this order: good and bad ones of each operation. */
export function requestsOn({ projects, keys }: Fixture): TestRequest[] {
  const { busy, quiet, completed, draft } = projects;
  const get = (path: string, as: TestRequest["as"] = "tester", status = 200): TestRequest => ({ as, path, status });
  const post = (as: TestRequest["as"], path: string, body: unknown, status: number): TestRequest => {
    return { as, method: "POST", path, body, status };
  };
  const project = (fields: object, status = 400) => post("owner", "/projects", { ...fullProject, ...fields }, status);
  const feedback = (fields: object, status = 400) =>
    post("tester", `/projects/${busy}/feedback`, { ...fullFeedback, ...fields }, status);
  const list = `/projects/${busy}/feedback`;
  return [
    // keys
    get("/projects", null, 401),
    get("/projects", { authorization: "Bearer pfs_wrong" }, 401),
    get("/projects", { authorization: `Basic ${keys.owner}` }, 401),
    get("/projects", { authorization: keys.owner }, 401),
    get("/projects", { authorization: `bearer ${keys.tester}` }),
    get("/projects", "disabled", 401),
    get("/projects", "revoked", 401),
    post(null, "/projects", {}, 401),
    get("/nowhere", null, 401),
    get("/nowhere", "tester", 404),
    // projects
    ...["", "?page=2", "?page=3&perPage=7", "?perPage=100", "?page=999", "?page=9007199254740991"].map((query) =>
      get(`/projects${query}`),
    ),
    ...["?status=active", "?category=web", "?status=archived&category=web", "?status=draft"].map((query) =>
      get(`/projects${query}`, "owner"),
    ),
    ...["garden", "GARD", "plan garden", "k%C3%AFtchen", "%F0%9F%98%80", "nothinglikethis"].map((words) =>
      get(`/projects?search=${words}`, "owner"),
    ),
    get("/projects?search=the+accounts&status=active&category=mobile&page=2&perPage=3"),
    ...[
      "page=0",
      "page=x",
      "page=1.5",
      "page=",
      "perPage=0",
      "perPage=101",
      "page=9007199254740992",
      "status=lost",
      "category=",
      "search=",
      `search=${"a".repeat(201)}`,
      "sort=date",
      "unknown=1",
      "status=active&status=draft",
      "page=1&page=1",
    ].map((query) => get(`/projects?${query}`, "tester", 400)),
    // a project
    get(`/projects/${busy}`, "owner"),
    get(`/projects/${busy}`, "tester"),
    get(`/projects/${quiet}`, "other"),
    get(`/projects/${projects.private}`, "owner"),
    get(`/projects/${projects.private}`, "other", 404),
    get(`/projects/${projects.private}`, "tester", 404),
    get(`/projects/${draft}`, "owner"),
    get(`/projects/${draft}`, "other", 404),
    get("/projects/prj_unknown", "tester", 404),
    get("/projects/%24gt", "tester", 404),
    get(`/projects/${busy}?verbose=1`, "tester", 400),
    // feedback
    ...["", "?sort=rating", "?sort=helpful", "?sort=date&page=2&perPage=5", "?status=approved", "?status=draft"].map(
      (query) => get(`${list}${query}`, "tester"),
    ),
    get(`${list}?testerId=${idOf("tester")}`, "tester"),
    get(`${list}?testerId=${idOf("tester")}&sort=rating`, "other"),
    get(`${list}?testerId=${idOf("owner")}&status=draft`, "owner"),
    get(`${list}?testerId=acc_unknown`, "tester"),
    get(`/projects/${completed}/feedback?perPage=1`, "other"),
    get(`/projects/${projects.private}/feedback`, "owner"),
    get(`/projects/${projects.private}/feedback`, "other", 404),
    get("/projects/prj_unknown/feedback", "tester", 404),
    ...["sort=worst", "status=active", "page=-1", "search=a", `testerId=${"a".repeat(201)}`].map((query) =>
      get(`${list}?${query}`, "tester", 400),
    ),
    // new projects
    project({}, 201),
    post("owner", "/projects", { title: "Ärger mit Straßen", description: "b", category: "other" }, 201),
    project({ status: "draft", isPublic: false, projectUrl: null, testingRequirements: null, screenshots: [] }, 201),
    post("tester", "/projects", fullProject, 403),
    post("tester", "/projects", {}, 400),
    ...[
      { title: "" },
      { title: " \u00a0 " },
      { title: "a".repeat(201) },
      { title: 7 },
      { title: null },
      { title: "\ud800" },
      { description: "a".repeat(5_001) },
      { category: "games" },
      { status: "archived" },
      { isPublic: "true" },
      { isPublic: null },
      { projectUrl: "ftp://example.com" },
      { projectUrl: "example.com" },
      { screenshots: Array(11).fill("https://example.com") },
      { screenshots: "https://example.com" },
      { testingRequirements: { minTesters: 0 } },
      { testingRequirements: { minTesters: "3" } },
      { testingRequirements: { minTesters: 5, maxTesters: 4 } },
      { testingRequirements: { feedbackTypes: ["ui", "ui"] } },
      { testingRequirements: { testers: 1 } },
      { stats: { views: 1_000 } },
      { id: "prj_mine" },
    ].map((fields) => project(fields)),
    ...["", "{", "[]", "null", '"text"'].map((body) => post("owner", "/projects", body, 400)),
    post("owner", "/projects?page=1", fullProject, 400),
    { ...post("owner", "/projects", fullProject, 400), idempotencyKey: "with a space" },
    { ...post("owner", "/projects", fullProject, 415), contentType: "text/plain" },
    { ...post("owner", "/projects", "title=a", 415), contentType: "application/x-www-form-urlencoded" },
    get("/projects?search=ARGER+strassen", "other"),
    get("/projects?perPage=2", "owner"),
    get("/projects?perPage=2", "other"),
    // new feedback
    feedback({}, 201),
    feedback({ uiFeedback: null, uxFeedback: { navigation: 1 }, bugs: [], generalComments: null }, 201),
    feedback({ status: "draft" }, 201),
    post("owner", `/projects/${quiet}/feedback`, { overallRating: 5 }, 201),
    post("other", `/projects/${quiet}/feedback`, { overallRating: 1, status: "draft" }, 201),
    post("owner", `/projects/${projects.private}/feedback`, { overallRating: 5 }, 201),
    post("tester", `/projects/${projects.private}/feedback`, { overallRating: 5 }, 404),
    post("tester", "/projects/prj_unknown/feedback", { overallRating: 5 }, 404),
    post("tester", `/projects/${completed}/feedback`, { overallRating: 5 }, 409),
    post("owner", `/projects/${draft}/feedback`, { overallRating: 5 }, 409),
    post("other", `/projects/${draft}/feedback`, { overallRating: 5 }, 404),
    ...[
      { overallRating: 0 },
      { overallRating: 6 },
      { overallRating: 4.5 },
      { overallRating: "4" },
      { overallRating: null },
      { status: "approved" },
      { testerId: idOf("owner") },
      { uiFeedback: { design: 9 } },
      { uiFeedback: { colours: "red" } },
      { uxFeedback: "good" },
      { generalComments: "a".repeat(5_001) },
      { bugs: [{ description: "no severity" }] },
      { bugs: [{ description: "x", severity: "huge" }] },
      { bugs: [{ description: "x", severity: "low", id: "bug_mine" }] },
      { bugs: [{ description: "x", severity: "low", screenshot: "not an address" }] },
      { bugs: Array(51).fill({ description: "x", severity: "low" }) },
    ].map((fields) => feedback(fields)),
    get(list, "tester"),
    get(`${list}?status=draft`, "tester"),
    get(`/projects/${busy}`, "owner"),
    get(`/projects/${quiet}`, "owner"),
    get(`/projects/${quiet}/feedback`, "owner"),
  ];
}
