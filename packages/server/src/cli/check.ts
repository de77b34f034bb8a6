import { misspelledVariables, readConfig } from "../config.ts";
import { checkRights } from "../store/check-rights.ts";
import { onDatabase, openDatabase } from "./database.ts";
import { expectedError } from "./expected-error.ts";

/**
 * `serve --check`: checks the settings and the database, and changes neither.
 * @throws CommandError that names what a start would fail with
 */
export async function checkStart(environment: NodeJS.ProcessEnv): Promise<void> {
  const config = readConfig(environment);
  for (const { name, meant } of misspelledVariables(environment)) {
    console.error(`${name} is not a setting. If you meant ${meant}, set that.`);
  }
  const opened = await openDatabase(config, "command");
  try {
    await onDatabase(opened.uri, checkRights);
  } catch (error) {
    throw expectedError(error, config);
  } finally {
    await opened.stop();
  }
  console.log("The settings and the database can be used.");
}
