import { answer, api } from "../shared/api.ts";
import { useAction, useSession } from "./session.ts";
import { Alert } from "./ui.tsx";

/** Who is signed in, and the way out. */
export function AccountHead() {
  const { account, onSignedOut } = useSession();
  const action = useAction();
  const signOut = () =>
    action.run(async () => {
      await answer(api.POST("/sign-out"));
      onSignedOut("You are signed out.");
    });
  return (
    <div class="account-head">
      <p>
        Signed in as <strong>{account.name}</strong>
        {account.role && `, ${account.role}`}, {account.plan} plan.{" "}
        <span class="muted">
          Account <code>{account.id}</code>
        </span>
      </p>
      <button type="button" disabled={action.busy} onClick={signOut}>
        Sign out
      </button>
      <Alert message={action.problem} />
    </div>
  );
}
