import { expect, inject, test } from "vitest";
import { createClient, createPathClient, NotFoundError } from "../src/index.ts";
import type { OperationMethods } from "../src/operation-methods.ts";

const baseUrl = inject("baseUrl");
const developer = createClient({ baseUrl, apiKey: inject("developerKey") });
const tester = createClient({ baseUrl, apiKey: inject("testerKey") });

const garden = { title: "Pocket Garden", description: "Plan beds for small gardens.", category: "mobile" } as const;

test("every operation of the contract works against the real server", async () => {
  const called = new Set<keyof OperationMethods>();
  const call = <Answer>(id: keyof OperationMethods, answer: Promise<Answer>) => {
    called.add(id);
    return answer;
  };

  const project = await call("createProject", developer.projects.create(garden));
  expect(project).toMatchObject({ ...garden, status: "active" });
  expect(project.rateLimit).toMatchObject({ limit: 1_000_000, reset: expect.any(Date) });
  expect(project.requestId).toMatch(/./);
  expect(await call("getProject", tester.projects.get(project.id))).toMatchObject({ id: project.id });
  const changed = await call("updateProject", developer.projects.update(project.id, { title: "Garden" }));
  expect(changed.title).toBe("Garden");
  const { data, pagination } = await call("listProjects", tester.projects.list({ search: "garden", perPage: 5 }));
  expect(data.map(({ id }) => id)).toContain(project.id);
  expect(pagination).toMatchObject({ page: 1, perPage: 5 });

  const draft = await call("createFeedback", tester.feedback.create(project.id, { overallRating: 3, status: "draft" }));
  expect(draft.status).toBe("draft");
  const bugs = [{ description: "A bed is lost.", severity: "high" }] as const;
  const sent = await call(
    "updateFeedback",
    tester.feedback.update(draft.id, { overallRating: 4, bugs: [...bugs], status: "submitted" }),
  );
  expect(sent).toMatchObject({ overallRating: 4, status: "submitted" });
  expect(await call("getFeedback", developer.feedback.get(sent.id))).toMatchObject({ id: sent.id });
  const page = await call("listFeedback", developer.feedback.list(project.id, { sort: "rating" }));
  expect(page.data).toHaveLength(1);
  expect(await call("markFeedbackHelpful", developer.feedback.markHelpful(sent.id))).toEqual({
    success: true,
    helpfulCount: 1,
  });
  const resolvedItems = sent.bugs.map(({ id }) => id);
  const reply = await call("replyToFeedback", developer.feedback.reply(sent.id, { message: "Fixed.", resolvedItems }));
  expect(reply.developerResponse).toMatchObject({ message: "Fixed.", resolvedItems });
  expect(await call("approveFeedback", developer.feedback.approve(sent.id))).toMatchObject({ status: "approved" });
  const other = await tester.feedback.create(project.id, { overallRating: 1 });
  expect(await call("rejectFeedback", developer.feedback.reject(other.id))).toMatchObject({ status: "rejected" });
  expect(await call("unmarkFeedbackHelpful", developer.feedback.unmarkHelpful(sent.id))).toEqual({
    success: true,
    helpfulCount: 0,
  });
  const discarded = await tester.feedback.create(project.id, { overallRating: 1, status: "draft" });
  const mine = await call("listMyFeedback", tester.me.feedback({ status: "draft,rejected" }));
  expect(mine.data.map(({ id }) => id)).toContain(discarded.id);
  expect(await call("deleteFeedback", tester.feedback.delete(discarded.id))).toMatchObject({ success: true });
  expect(await call("getMe", tester.me.get())).toMatchObject({ id: discarded.testerId, role: "tester" });
  expect(await call("deleteProject", developer.projects.delete(project.id))).toMatchObject({ success: true });
  await expect(developer.projects.get(project.id)).rejects.toBeInstanceOf(NotFoundError);

  const all: Record<keyof OperationMethods, true> = {
    listProjects: true,
    getProject: true,
    createProject: true,
    updateProject: true,
    deleteProject: true,
    listFeedback: true,
    deleteFeedback: true,
    unmarkFeedbackHelpful: true,
    getMe: true,
    listMyFeedback: true,
    getFeedback: true,
    createFeedback: true,
    updateFeedback: true,
    markFeedbackHelpful: true,
    replyToFeedback: true,
    approveFeedback: true,
    rejectFeedback: true,
  };
  expect([...called].sort()).toEqual(Object.keys(all).sort());
});

test("the path client works against the real server", async () => {
  const paths = createPathClient({ baseUrl, apiKey: inject("developerKey") });
  const { data: project } = await paths.POST("/projects", { body: garden });
  const { data } = await paths.PATCH("/projects/{id}", {
    params: { path: { id: project?.id ?? "" } },
    body: { isPublic: false },
  });
  expect(data).toMatchObject({ ...garden, isPublic: false });
  const { error, response } = await paths.GET("/projects/{id}", { params: { path: { id: "prj_none" } } });
  expect(error?.error).toBe("Not Found");
  expect(response.status).toBe(404);
});
