import type { Server } from "node:http";
import { type Config, readConfig } from "@project-feedback/server";
import { openDatabase, type PeerDatabase } from "./database.ts";

/** Where every peer listens. */
export const host = "127.0.0.1";

/** The settings, read from the environment as our server reads them, and the open database. */
export interface Dependencies extends Pick<Config, "port" | "logLevel" | "allowances"> {
  readonly database: PeerDatabase;
}

/** @throws Error where MONGODB_URI is not set or cannot be reached */
export async function openDependencies(): Promise<Dependencies> {
  const { port, logLevel, allowances, mongodbUri } = readConfig(process.env);
  if (!mongodbUri)
    throw new Error("MONGODB_URI is not set. Set it to the address of a database, with its name in the path.");
  return { port, logLevel, allowances, database: await openDatabase(mongodbUri) };
}

/** Prints that the server is ready, and stops it on SIGTERM and SIGINT. */
export function onListening({ database }: Dependencies, close: () => unknown): void {
  const stop = async () => {
    await close();
    await database.client.close();
    process.exit(0);
  };
  process.once("SIGTERM", () => void stop());
  process.once("SIGINT", () => void stop());
  console.log("listening");
}

/** Closes a server and all its connections. */
export function closeServer(server: Server): void {
  server.close();
  server.closeAllConnections();
}
