import { expect, test } from "vitest";
import { useProject } from "../harness/fixture.ts";
import { aFeedback, aProject, fullFeedback } from "../harness/samples.ts";

const { ada, bob, tom, projectId } = await useProject();

const verdicts = [
  ["approve", "approved"],
  ["reject", "rejected"],
] as const;

test.each(verdicts)(
  "C-FB-5: %s: submitted feedback becomes %s, and the response is its detail",
  async (verb, state) => {
    const feedback = await aFeedback(tom, projectId, fullFeedback as never);
    const { status, body } = await ada.post(`/feedback/${feedback.id}/${verb}`);
    expect([status, body]).toEqual([200, { ...feedback, status: state, updatedAt: body.updatedAt }]);
    expect((await tom.get(`/feedback/${feedback.id}`)).body).toEqual(body);
    const listed = await bob.get(`/projects/${projectId}/feedback?status=${state}`);
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toContain(feedback.id);
  },
);

test.each(verdicts)(
  "C-FB-5: %s: feedback that is already approved or rejected gets a 409 and does not change",
  async (verb) => {
    for (const [first, state] of verdicts) {
      const { id } = await aFeedback(tom, projectId);
      await ada.post(`/feedback/${id}/${first}`);
      const { status, body } = await ada.post(`/feedback/${id}/${verb}`);
      expect([status, body.error]).toEqual([409, "Conflict"]);
      expect((await ada.get(`/feedback/${id}`)).body.status).toBe(state);
    }
  },
);

test.each(verdicts)("C-FB-5: %s: the owner's own draft gets a 409", async (verb) => {
  const { id } = await aFeedback(ada, projectId, { status: "draft" });
  expect((await ada.post(`/feedback/${id}/${verb}`)).status).toBe(409);
});

test.each(verdicts)(
  "C-FB-5: %s: only the project's owner may do it, not the author and not other developers",
  async (verb) => {
    const ofTester = await aFeedback(tom, projectId);
    const ofDeveloper = await aFeedback(bob, projectId);
    for (const [caller, id] of [
      [tom, ofTester.id],
      [bob, ofTester.id],
      [bob, ofDeveloper.id],
      [tom, ofDeveloper.id],
    ] as const) {
      const { status, body } = await caller.post(`/feedback/${id}/${verb}`);
      expect([status, body.error]).toEqual([403, "Forbidden"]);
    }
    expect((await ada.get(`/feedback/${ofTester.id}`)).body.status).toBe("submitted");
  },
);

test("C-FB-5: of a concurrent approval and rejection one succeeds, and the counts match it", async () => {
  const { id: project } = await aProject(ada);
  const outcomes = new Map([
    ["approved", 0],
    ["rejected", 0],
  ]);
  for (let round = 0; round < 6; round += 1) {
    const { id } = await aFeedback(tom, project);
    const answers = await Promise.all(
      ["approve", "reject", "approve", "reject"].map((verb) => ada.post(`/feedback/${id}/${verb}`)),
    );
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    const { status } = (await ada.get(`/feedback/${id}`)).body;
    expect(won[0]?.body.status).toBe(status);
    outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
  }
  for (const [status, count] of outcomes) {
    const { pagination } = (await ada.get(`/projects/${project}/feedback?status=${status}`)).body;
    expect(pagination.total).toBe(count);
  }
  const { stats } = (await ada.get(`/projects/${project}`)).body;
  expect(stats).toMatchObject({ feedbackCount: 6, approvedTesters: (outcomes.get("approved") ?? 0) > 0 ? 1 : 0 });
});

test("C-FB-5: feedback can be moderated when its project is completed or hidden", async () => {
  const { id: project } = await aProject(ada);
  const [one, two] = [await aFeedback(tom, project), await aFeedback(tom, project)];
  await ada.patch(`/projects/${project}`, { status: "archived", isPublic: false });
  expect((await ada.post(`/feedback/${one.id}/approve`)).status).toBe(200);
  expect((await ada.post(`/feedback/${two.id}/reject`)).status).toBe(200);
});
