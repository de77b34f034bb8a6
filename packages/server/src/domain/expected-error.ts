/**
 * An error that is a regular answer, such as a 404. It has no stack trace: nobody reads it, and taking it costs more than
 * the rest of the request (20 of 60 µs).
 */
export class ExpectedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, options);
    Error.stackTraceLimit = stackTraceLimit;
  }
}
