/** Keys of the accounts that own the records. */
export interface Keys {
  readonly developer: string;
  readonly tester: string;
  readonly other: string;
}

/**
 * Creates projects and feedback in every status, owned by the fuzzed key and by others. Lists are newest first, so they
 * begin with the records created last.
 *
 * @throws Error if the server rejects a record
 */
export async function seed(base: string, keys: Keys, role: "developer" | "tester"): Promise<void> {
  const post = async (as: keyof Keys, path: string, body?: object): Promise<{ id: string }> => {
    const response = await fetch(base + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${keys[as]}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as { id: string; message?: string };
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${answer.message}`);
    return answer;
  };
  const bugs = [
    { description: "A bed is lost when the phone is turned.", severity: "high" },
    { description: "The list flickers.", severity: "medium", stepsToReproduce: "Scroll." },
  ];
  for (const owner of ["other", "developer"] as const) {
    for (const fields of [{ status: "draft" }, { isPublic: false }, {}, {}]) {
      const words = { title: "Pocket Garden", description: "Plan beds for small gardens.", category: "mobile" };
      const project = await post(owner, "/projects", { ...words, ...fields });
      if (Object.keys(fields).length > 0) continue;
      const feedback = `/projects/${project.id}/feedback`;
      for (const moderation of ["approve", "reject"]) {
        const { id } = await post("tester", feedback, { overallRating: 4, bugs });
        await post(owner, `/feedback/${id}/${moderation}`);
      }
      await post("tester", feedback, { overallRating: 2, bugs });
      await post(role, feedback, { overallRating: 5, bugs, status: "draft" });
    }
  }
}
