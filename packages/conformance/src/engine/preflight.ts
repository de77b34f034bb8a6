import { firstResponses } from "../evidence/first-responses.ts";
import { isRecord, succeeded } from "./assertions.ts";
import type { Context } from "./check.ts";
import type { Exchange } from "./exchange.ts";
import { HarnessError } from "./outcome.ts";
import { numeric } from "./pacer.ts";
import { budgets, type Depth } from "./terms.ts";

const nowhere = "/feedback/none-such-0000/helpful";

/**
 * Finds what is wrong with the address or the keys before anything is created.
 *
 * @returns why nothing can be run, with the remedy; undefined: go on
 */
export async function preflight(context: Context): Promise<string | undefined> {
  for (const holder of ["developer", "tester"] as const) {
    try {
      const response = await context.use(firstResponses[holder]);
      if (response.status === 401) {
        // A server that accepts the key in another form has a defect; one that accepts it in no form was given a wrong key.
        const otherwise = await context.sendRaw(holder, `bearer ${context.options.keys[holder]}`, "GET", "/projects");
        if (otherwise.status === 401)
          return `The ${holder}'s key is refused (401). Check that the key is right and belongs to this address.`;
      }
      if (holder === "developer" && (await isNowhere(context, response)))
        return `There is no project list at ${context.options.baseUrl}/projects (${response.status}). Check the path of the base address.`;
    } catch (error) {
      if (error instanceof HarnessError || context.exchanges.length === 0) return (error as Error).message;
    }
  }
  return context.options.readOnly ? undefined : swappedKeys(context);
}

/** Whether the address is not that of the interface: without a key there is no 401 either. */
async function isNowhere(context: Context, response: Exchange): Promise<boolean> {
  const looksForeign = response.status === 404 || response.status === 405 || !isRecord(response.json);
  if (!looksForeign || response.status === 401) return false;
  const { status } = await context.sendAs(undefined, "GET", "/projects");
  return status !== 401;
}

/** Asks with both keys for what developers alone may do, on feedback that does not exist. */
async function swappedKeys(context: Context): Promise<string | undefined> {
  // Unpaced: a server that refuses to answer here is judged by the checks.
  const ask = (holder: "developer" | "tester") => context.send(holder, "POST", nowhere, { unpaced: true });
  const [developer, tester] = [await ask("developer"), await ask("tester")];
  const swapped = developer.status === 403 && tester.status !== 403 && tester.status !== 401 && !succeeded(tester);
  if (!swapped) return undefined;
  return "The developer's key may not mark feedback and the tester's key may: they seem to be swapped. Exchange the two keys.";
}

/** The depth that the announced allowances of both keys permit. */
export function affordableDepth(exchanges: readonly Exchange[]): Depth {
  const left = (["developer", "tester"] as const).map((holder) => {
    const latest = exchanges.findLast(({ payer }) => payer === holder);
    return numeric(latest?.headers.get("x-ratelimit-remaining") ?? null) ?? 0;
  });
  return left.every((remaining) => remaining >= budgets.full) ? "full" : "quick";
}
