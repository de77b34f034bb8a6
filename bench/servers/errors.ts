import { STATUS_CODES } from "node:http";

/** The contract's body of an error; the cause of a 5xx is not public. */
export function bodyOf(status: number, message: string): { error: string; message: string } {
  return { error: STATUS_CODES[status] ?? "Error", message: status < 500 ? message : "The service failed." };
}

/** The body of every 401 (S-AUTH-2). */
export const unauthorized = bodyOf(401, "Invalid or missing API key");
