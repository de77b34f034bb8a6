// Records for the fuzzer to find: of every status, by itself and by others.

/** Makes projects and feedback; what is made last is what lists show first. */
export async function seed(base, keys, role) {
  const post = async (as, path, body) => {
    const response = await fetch(base + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${keys[as]}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`POST ${path} answered ${response.status}: ${answer.message}`);
    return answer;
  };
  const bugs = [
    { description: "A bed is lost when the phone is turned.", severity: "high" },
    { description: "The list flickers.", severity: "medium", stepsToReproduce: "Scroll." },
  ];
  for (const owner of ["other", "developer"]) {
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
