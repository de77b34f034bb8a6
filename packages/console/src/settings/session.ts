import { createContext } from "preact";
import { useCallback, useContext, useEffect, useState } from "preact/hooks";
import type { Models } from "../shared/api.ts";
import { messageOf, Problem } from "../shared/problem.ts";

interface SessionState {
  readonly account: Models["Account"];
  onAccount(account: Models["Account"]): void;
  /** Shows the sign-in with a notice. */
  onSignedOut(notice: string): void;
}

/** The account that is signed in. */
export const Session = createContext<SessionState | undefined>(undefined);

export function useSession(): SessionState {
  const session = useContext(Session);
  if (!session) throw new Error("This part of the page needs a session.");
  return session;
}

/** What to do with something that was thrown: an ended session leads to the sign-in, the rest has a message. */
function useReport(): (thrown: unknown, show: (message: string) => void) => void {
  const { onSignedOut } = useSession();
  return useCallback(
    (thrown, show) => {
      if (thrown instanceof Problem && thrown.isSignedOut) onSignedOut("Your session has ended. Sign in again.");
      else show(messageOf(thrown));
    },
    [onSignedOut],
  );
}

/** What a request has answered. */
export interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly problem: string | undefined;
  reload(): Promise<void>;
}

/** Loads when the part of the page appears, and again when `load` changes. */
export function useLoaded<Data>(load: () => Promise<Data>): Loaded<Data> {
  const [data, setData] = useState<Data>();
  const [problem, setProblem] = useState<string>();
  const report = useReport();
  const reload = useCallback(async () => {
    try {
      setData(await load());
      setProblem(undefined);
    } catch (thrown) {
      report(thrown, setProblem);
    }
  }, [load, report]);
  useEffect(() => void reload(), [reload]);
  return { data, problem, reload };
}

/** Something that the visitor does. */
export interface Action {
  readonly busy: boolean;
  readonly problem: string | undefined;
  run(work: () => Promise<void>): Promise<void>;
}

/** Runs one action at a time, and keeps what went wrong until the next. */
export function useAction(): Action {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const report = useReport();
  const run = useCallback(
    async (work: () => Promise<void>) => {
      setBusy(true);
      setProblem(undefined);
      try {
        await work();
      } catch (thrown) {
        report(thrown, setProblem);
      } finally {
        setBusy(false);
      }
    },
    [report],
  );
  return { busy, problem, run };
}
