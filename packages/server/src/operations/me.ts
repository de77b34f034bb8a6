import type { FeedbackStatus } from "../domain/feedback.ts";
import { feedbackOrder, type TesterFilter } from "../store/feedback-repository.ts";
import { itemOf, valueTypeOf } from "./feedback-item.ts";
import type { Operations } from "./operation.ts";
import { pageOf, sortFor, timeOf, valuesOf } from "./page.ts";

export const meOperations: Pick<Operations, "getMe" | "listMyFeedback"> = {
  async getMe({ caller, allowance }) {
    const { limit, remaining, reset } = allowance;
    const { accountId: id, role, plan } = caller;
    return { status: 200, body: { id, role, plan, allowance: { limit, remaining, reset } } };
  },

  async listMyFeedback({ caller, query }, { feedback }) {
    const order = feedbackOrder(sortFor(query, "date", "updated"), query.order);
    const filter: TesterFilter = {
      testerId: caller.accountId,
      statuses: valuesOf<FeedbackStatus>(query.status),
      updatedAfter: timeOf(query.updatedAfter),
    };
    return pageOf(query, {
      ...{ order, valueType: valueTypeOf(order), filter, item: itemOf },
      read: (slice) => feedback.pageOfTester(filter, order, slice),
    });
  },
};
