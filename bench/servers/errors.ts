import { STATUS_CODES } from "node:http";

/** The body of an error, as the contract shapes it; what failed inside is not told. */
export function bodyOf(status: number, message: string): { error: string; message: string } {
  return { error: STATUS_CODES[status] ?? "Error", message: status < 500 ? message : "The service failed." };
}

/** The stated body of every 401 (S-AUTH-2). */
export const unauthorized = bodyOf(401, "Invalid or missing API key");
