import type { Database } from "./database.ts";

/**
 * Reads and writes the database as the server does, with writes that match nothing.
 * @throws MongoServerError 13 where the user lacks a right
 */
export async function checkRights({ accounts }: Database): Promise<void> {
  const nothing = { _id: "" };
  await accounts.findOne(nothing);
  await accounts.updateOne(nothing, { $unset: { name: "" } });
  await accounts.deleteOne(nothing);
}
