import { join } from "node:path";
import { EmbeddedError } from "@project-feedback/embedded-mongod";
import { type Config, ConfigError } from "../config.ts";
import { accessDenied } from "../store/access-denied.ts";
import { isBadAddress, isOutage } from "../store/outage.ts";
import { CommandError } from "./command-error.ts";

type Place = Pick<Config, "mongodbUri" | "dataDir">;

/** A failure that an operator can mend, as one sentence on what is wrong and one on what to do; any other as it is. */
export function expectedError(error: unknown, config: Place & Partial<Pick<Config, "host" | "port">>): unknown {
  if (error instanceof CommandError) return error;
  if (error instanceof ConfigError) return new CommandError(error.message, 2, error);
  if (error instanceof EmbeddedError) return new CommandError(error.message, 3, error);
  return databaseError(error, config) ?? listenError(error, config) ?? error;
}

function databaseError(error: unknown, { mongodbUri, dataDir }: Place): CommandError | undefined {
  const reason = oneLine(error);
  if (isBadAddress(error)) return new CommandError(`MONGODB_URI cannot be used: ${reason}. Correct it.`, 2, error);
  const denied = accessDenied(error);
  if (denied === "authentication") {
    const remedy = "Check its user, its password and its authSource.";
    return new CommandError(`MongoDB does not accept the user of MONGODB_URI (${reason}). ${remedy}`, 3, error);
  }
  if (denied === "authorization") {
    const remedy = "Grant it the role readWrite on that database.";
    return new CommandError(`The user of MONGODB_URI lacks a right (${reason}). ${remedy}`, 3, error);
  }
  if (!isOutage(error)) return undefined;
  const remedy =
    mongodbUri === undefined
      ? `Read ${join(dataDir, "mongod.log")}, then start again.`
      : "Check MONGODB_URI and that MongoDB is running.";
  const database = mongodbUri === undefined ? "The embedded mongod" : "The database";
  return new CommandError(`${database} cannot be reached (${reason}). ${remedy}`, 3, error);
}

function listenError(error: unknown, { host, port }: Partial<Pick<Config, "host" | "port">>): CommandError | undefined {
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} is in use. Stop what uses it, or set PORT to another.`,
    EACCES: `Port ${port} may not be used by this user. Set PORT to one above 1023.`,
    EADDRNOTAVAIL: `HOST ${host} is no address of this machine. Set HOST to one that is.`,
    ENOTFOUND: `HOST ${host} is no address of this machine. Set HOST to one that is.`,
  };
  const message = messages[(error as NodeJS.ErrnoException)?.code ?? ""];
  return message === undefined ? undefined : new CommandError(message, 2, error);
}

/** MongoDB appends the whole command to some messages; it is left out, as is the final period. */
function oneLine(error: unknown): string {
  const [line = ""] = (error as Error).message.split("\n");
  return line.replace(/ to execute command.*$/, "").replace(/\.$/, "");
}
