import { operationOf, type WireResponse } from "../wire.ts";
import { type Mutant, onWire, refusal, replaceHandler, rewriteBody, rewriteHeaders, withKey } from "./mutant.ts";

/** Which key the operation is meant for, where a mutant forgets to ask for one. */
const meantFor: Readonly<Record<string, "developer" | "tester">> = {
  listProjects: "developer",
  createProject: "developer",
  getProject: "developer",
  updateProject: "developer",
  deleteProject: "developer",
  listFeedback: "tester",
  createFeedback: "tester",
  getFeedback: "tester",
  updateFeedback: "tester",
  markFeedbackHelpful: "developer",
  replyToFeedback: "developer",
};

const unauthorized =
  (change: (got: WireResponse) => WireResponse) =>
  (ask: Parameters<NonNullable<Mutant["intercept"]>>[0]) =>
  async (sent: Parameters<typeof ask>[0]): Promise<WireResponse> => {
    const got = await ask(sent);
    return got.status === 401 ? change(got) : got;
  };

const authorizationOf = (sent: { headers: Readonly<Record<string, string>> }) => sent.headers.authorization ?? "";
const writing = [
  "createProject",
  "updateProject",
  "deleteProject",
  "createFeedback",
  "markFeedbackHelpful",
  "replyToFeedback",
];

export const baseAndKeys: readonly Mutant[] = [
  {
    id: "base-unversioned",
    breaks: ["S-BASE-1"],
    description: "It is served under /api, without a version.",
    servedAt: "/api",
  },
  { id: "base-v2", breaks: ["S-BASE-1"], description: "It is served under /v2.", servedAt: "/v2" },
  onWire(
    "base-feedback-moved",
    ["S-BASE-1", "S-FB-GET-1"],
    "Feedback is read at another path.",
    replaceHandler("getFeedback", async (sent, ask) => ask({ ...sent, path: `/moved${sent.path}` })),
  ),
  {
    id: "base-plain-http",
    breaks: ["S-BASE-2"],
    description: "It is served to the world over plain HTTP.",
    servedAt: "http://feedback.example.com/v1",
  },
  onWire(
    "json-as-html",
    "S-BASE-3",
    "JSON is sent as text/html.",
    rewriteHeaders((headers) => ({ ...headers, "content-type": "text/html" })),
  ),
  onWire(
    "json-untyped",
    "S-BASE-3",
    "Answers have no Content-Type.",
    rewriteHeaders(({ "content-type": _, ...headers }) => headers),
  ),
  onWire("json-refusals-in-text", "S-BASE-3", "A 404 or 409 is a line of text.", (ask) => async (sent) => {
    const got = await ask(sent);
    return [404, 409].includes(got.status)
      ? { ...got, headers: { ...got.headers, "content-type": "text/plain" }, body: "No." }
      : got;
  }),
  onWire(
    "json-refused",
    ["S-BASE-3", "S-PROJ-CREATE-1", "S-FB-CREATE-1"],
    "Bodies are taken as forms, application/json is a 415.",
    replaceHandler(["createProject", "createFeedback"], async (sent, ask) =>
      refusal(415, await ask({ ...sent, body: "{" })),
    ),
  ),

  onWire(
    "bearer-lower-case-only",
    "S-AUTH-1",
    "A key is accepted after lower-case `bearer` alone.",
    (ask) => async (sent) => ask(authorizationOf(sent).startsWith("Bearer") ? withKey(sent, undefined) : sent),
  ),
  onWire(
    "bearer-token-scheme",
    "S-AUTH-1",
    "A tester's key is not accepted as a bearer token.",
    (ask, keys) => async (sent) =>
      authorizationOf(sent) === `Bearer ${keys.tester}` && operationOf(sent) === "listProjects"
        ? refusal(403, await ask(sent))
        : ask(sent),
  ),
  ...Object.entries(meantFor).map(([operation, holder]) =>
    onWire(
      `unguarded-${operation}`,
      ["S-AUTH-1", "S-AUTH-2"],
      `${operation} is done without a key.`,
      replaceHandler(operation, async (sent, ask, keys) => {
        const known = Object.values(keys).some((key) => authorizationOf(sent) === `Bearer ${key}`);
        return ask(known ? sent : withKey(sent, keys[holder]));
      }),
    ),
  ),
  ...writing.map((operation) =>
    onWire(
      `unguarded-inside-${operation}`,
      ["S-AUTH-1", "S-AUTH-2"],
      `${operation} without a key is answered 401, and done.`,
      replaceHandler(operation, async (sent, ask, keys) => {
        const got = await ask(sent);
        if (got.status === 401) await ask(withKey(sent, keys[meantFor[operation] ?? "developer"]));
        return got;
      }),
    ),
  ),
  onWire(
    "unauthorized-403",
    "S-AUTH-2",
    "A missing or invalid key is a 403.",
    unauthorized((got) => ({ ...got, status: 403 })),
  ),
  onWire(
    "unauthorized-message",
    "S-AUTH-2",
    "The 401 description something else.",
    unauthorized((got) => ({ ...got, body: { error: "Unauthorized", message: "API key required" } })),
  ),
  onWire(
    "unauthorized-error",
    "S-AUTH-2",
    "The 401's error is a code.",
    unauthorized((got) => ({ ...got, body: { error: "unauthorized", message: "Invalid or missing API key" } })),
  ),
  onWire(
    "unauthorized-nested",
    "S-AUTH-2",
    "The 401's body is nested in `error`.",
    unauthorized((got) => ({ ...got, body: { error: got.body } })),
  ),
  onWire(
    "unauthorized-empty",
    "S-AUTH-2",
    "The 401 has no body.",
    unauthorized((got) => ({ ...got, body: undefined })),
  ),
  onWire("unknown-key-403", "S-AUTH-2", "A key that nobody was given is a 403.", (ask) => async (sent) => {
    const got = await ask(sent);
    return got.status === 401 && authorizationOf(sent).startsWith("Bearer ") ? { ...got, status: 403 } : got;
  }),
  onWire("malformed-key-400", "S-AUTH-2", "A key that does not look like one is a 400.", (ask) => async (sent) => {
    const got = await ask(sent);
    return got.status === 401 && authorizationOf(sent) === "Bearer not-a-key" ? { ...got, status: 400 } : got;
  }),
  onWire("missing-key-400", "S-AUTH-2", "A missing key is a 400.", (ask) => async (sent) => {
    const got = await ask(sent);
    return got.status === 401 && authorizationOf(sent) === "" ? { ...got, status: 400 } : got;
  }),
  onWire("unauthorized-on-writes", "S-AUTH-2", "On writes the 401 has another body.", (ask) => async (sent) => {
    const got = await ask(sent);
    return got.status === 401 && sent.method !== "GET" ? { ...got, body: { message: "Login first" } } : got;
  }),
  onWire(
    "key-by-prefix",
    ["S-AUTH-2", "S-AUTH-1"],
    "A key is known by its first half.",
    (ask, keys) => async (sent) => {
      const half = `Bearer ${keys.developer.slice(0, keys.developer.length / 2)}`;
      return ask(authorizationOf(sent).startsWith(half) ? withKey(sent, keys.developer) : sent);
    },
  ),
  onWire(
    "key-cut-to-length",
    ["S-AUTH-2", "S-AUTH-1"],
    "What follows a key is not looked at.",
    (ask, keys) => async (sent) =>
      ask(authorizationOf(sent).startsWith(`Bearer ${keys.developer}`) ? withKey(sent, keys.developer) : sent),
  ),
  onWire(
    "empty-key-accepted",
    ["S-AUTH-2", "S-AUTH-1"],
    "An empty bearer token is let through.",
    (ask, keys) => async (sent) =>
      ask(authorizationOf(sent).trim() === "Bearer" ? withKey(sent, keys.developer) : sent),
  ),
  onWire(
    "basic-accepted",
    ["S-AUTH-2", "S-AUTH-1"],
    "Any user name and password is let through.",
    (ask, keys) => async (sent) =>
      ask(authorizationOf(sent).startsWith("Basic") ? withKey(sent, keys.developer) : sent),
  ),
  onWire(
    "key-echoed",
    "S-AUTH-3",
    "A header repeats the key.",
    rewriteHeaders((headers, sent) => ({ ...headers, "x-api-key": authorizationOf(sent).slice(7) })),
  ),
  onWire("key-in-detail", "S-AUTH-3", "A project's detail holds its owner's key.", (ask, keys, server) =>
    rewriteBody("getProject", (body) => ({ ...body, owner: { key: keys.developer } }))(ask, keys, server),
  ),
];
