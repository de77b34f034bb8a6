/** The body of an operation's success. */
export type Output<Operation> = Operation extends { responses: infer Responses }
  ? Responses[keyof Responses & (200 | 201)] extends { content: { "application/json": infer Body } }
    ? Body
    : never
  : never;
