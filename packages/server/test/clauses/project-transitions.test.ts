import { expect, test } from "vitest";
import { aProject } from "../harness/samples.ts";
import { useServer } from "../harness/server.ts";

const statuses = ["draft", "active", "completed", "archived"] as const;
type Status = (typeof statuses)[number];
const moves: Record<Status, readonly Status[]> = {
  draft: ["active", "archived"],
  active: ["completed", "archived"],
  completed: ["active", "archived"],
  archived: ["active"],
};

const server = await useServer();
const ada = await server.account();

async function projectThatIs(status: Status): Promise<string> {
  const { id } = await aProject(ada, { status: status === "draft" ? "draft" : "active" });
  if (status === "completed" || status === "archived") await ada.patch(`/projects/${id}`, { status });
  expect((await ada.get(`/projects/${id}`)).body.status).toBe(status);
  return id;
}

test.each(statuses.flatMap((from) => statuses.map((to) => [from, to] as const)))(
  "C-PROJ-3: from %s to %s",
  async (from, to) => {
    const id = await projectThatIs(from);
    const moved = await ada.patch(`/projects/${id}`, { status: to, title: "Moved" });
    const after = (await ada.get(`/projects/${id}`)).body;
    if (from === to || moves[from].includes(to)) {
      expect(moved.status).toBe(200);
      expect(after).toMatchObject({ status: to, title: "Moved" });
    } else {
      expect([moved.status, moved.body.error]).toEqual([409, "Conflict"]);
      expect(after).toMatchObject({ status: from, title: "A project" });
    }
  },
);

test("C-PROJ-3: a completed project can become active again and accepts feedback again", async () => {
  const id = await projectThatIs("active");
  for (const status of ["completed", "active", "archived", "active"]) {
    expect((await ada.patch(`/projects/${id}`, { status })).body.status).toBe(status);
    const { status: taken } = await ada.post(`/projects/${id}/feedback`, { overallRating: 5 });
    expect(taken).toBe(status === "active" ? 201 : 409);
  }
});

test("C-PROJ-3: of two concurrent transitions that exclude each other, one gets a 409", async () => {
  for (let round = 0; round < 5; round += 1) {
    const id = await projectThatIs("draft");
    const answers = await Promise.all(
      ["archived", "active", "draft"].map((status) => ada.patch(`/projects/${id}`, { status })),
    );
    const { status } = (await ada.get(`/projects/${id}`)).body;
    // Archived, then active; or active, then archived; the draft goes before either, or is refused.
    expect(["active", "archived"]).toContain(status);
    for (const answer of answers.slice(0, 2)) expect(answer.status).toBe(200);
    expect([200, 409]).toContain(answers[2]?.status);
  }
});
