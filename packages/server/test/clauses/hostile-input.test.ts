import naughtyStrings from "big-list-of-naughty-strings/blns.json" with { type: "json" };
import { expect, test } from "vitest";
import { aFeedback, aProject } from "../harness/samples.ts";
import { useServer } from "../harness/server.ts";

/** Strings that are known to break programs: injections, control characters, all scripts, reserved words. */
const strings: readonly string[] = naughtyStrings;

const server = await useServer();
const owner = await server.account();
const tester = await server.account({ role: "tester" });

/** Runs work on every string, a few at a time. */
async function forEachString(work: (text: string) => Promise<void>): Promise<void> {
  const left = [...strings];
  const worker = async () => {
    for (let text = left.pop(); text !== undefined; text = left.pop()) await work(text);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

test("S-PROJ-CREATE-2 S-PROJ-PATCH-1: every hostile text in a project reads back unchanged or gets a 400", async () => {
  let kept = 0;
  await forEachString(async (text) => {
    const fields = { title: [...text].slice(0, 200).join(""), description: text || "x", category: "web" };
    const created = await owner.post("/projects", fields);
    if (created.status === 400) return expect(fields.title).not.toMatch(/[\p{L}\p{N}\p{P}\p{S}]/u);
    expect([text, created.status]).toEqual([text, 201]);
    const path = `/projects/${created.body.id}`;
    expect((await owner.patch(path, { title: fields.title })).body).toMatchObject(fields);
    expect((await owner.get(path)).body).toMatchObject(fields);
    kept += 1;
  });
  expect(kept).toBeGreaterThan(450);
}, 120_000);

test("S-FB-CREATE-3 S-FB-REPLY-1: every hostile text in feedback and in a reply reads back unchanged", async () => {
  const { id } = await aProject(owner);
  await forEachString(async (text) => {
    const fields = {
      uiFeedback: { design: null, colors: text, typography: text, layout: text },
      uxFeedback: { navigation: null, flow: text, usability: text, suggestions: text },
      generalComments: text,
    };
    const feedback = await aFeedback(tester, id, fields);
    const reply = await owner.post(`/feedback/${feedback.id}/reply`, { message: `${text}.` });
    expect([text, reply.status, reply.body.developerResponse.message]).toEqual([text, 200, `${text}.`]);
    expect((await owner.get(`/feedback/${feedback.id}`)).body).toMatchObject(fields);
  });
}, 120_000);

test("S-PROJ-LIST-5 C-ID-1: every hostile text can be searched for, and is an unknown id or a bad one", async () => {
  await forEachString(async (text) => {
    const query = encodeURIComponent(text);
    const search = await owner.get(`/projects?search=${query}`);
    expect([text, [200, 400].includes(search.status)]).toEqual([text, true]);
    const { status } = await owner.get(`/projects/${encodeURIComponent(text || "none")}/feedback?testerId=${query}`);
    expect([text, [400, 404].includes(status)]).toEqual([text, true]);
    const other = await owner.get(`/projects?status=${query}&page=${query}`);
    expect([text, other.status]).toEqual([text, 400]);
  });
}, 120_000);
