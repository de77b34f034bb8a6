import { denseHours, hourMs } from "../domain/usage.ts";
import { windowBody } from "./account.ts";
import type { AccountOperations } from "./operation.ts";

export const usageOperations: Pick<AccountOperations, "getUsage"> = {
  async getUsage({ caller, query }, { usage }, { now, windowOf }) {
    const { account } = caller;
    const { hours: length = 24 } = query;
    const time = now();
    const [found, window] = await Promise.all([
      usage.since(account.id, new Date(time.getTime() - length * hourMs)),
      windowOf(account),
    ]);
    const hours = denseHours(found, length, time).map(({ start, ...counts }) => ({
      start: start.toISOString(),
      ...counts,
    }));
    return { status: 200, body: { hours, window: windowBody(window) } };
  },
};
