import { useState } from "preact/hooks";
import { answer, api } from "../shared/api.ts";
import { useAction, useSession } from "./session.ts";
import { Alert, Section } from "./ui.tsx";

const roles = [
  ["developer", "Developer", "Publishes projects, and answers the feedback on them."],
  ["tester", "Tester", "Submits feedback on the projects of others."],
] as const;

/** Asks a new account for its role, which is chosen once. */
export function RoleChoice() {
  const { onAccount } = useSession();
  const action = useAction();
  const [role, setRole] = useState<(typeof roles)[number][0]>();
  const choose = (event: SubmitEvent) => {
    event.preventDefault();
    void action.run(async () => {
      if (role) onAccount(await answer(api.POST("/account/role", { body: { role } })));
    });
  };
  return (
    <Section title="Choose your role">
      <form onSubmit={choose}>
        <fieldset>
          <legend>It cannot be changed later.</legend>
          {roles.map(([value, name, meaning]) => (
            <label key={value} class="choice">
              <input type="radio" name="role" required checked={role === value} onChange={() => setRole(value)} />
              <span>
                <strong>{name}</strong> {meaning}
              </span>
            </label>
          ))}
        </fieldset>
        <Alert message={action.problem} />
        <button type="submit" class="primary" disabled={action.busy}>
          Continue
        </button>
      </form>
    </Section>
  );
}
