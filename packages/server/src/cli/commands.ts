import { EmbeddedError } from "@project-feedback/embedded-mongod";
import { Command, CommanderError } from "commander";
import { ConfigError, variables } from "../config.ts";
import { isBadAddress, isOutage } from "../store/outage.ts";
import { addAccounts } from "./accounts.ts";
import { CommandError } from "./command-error.ts";
import { addCounts } from "./counts.ts";
import { addKeys } from "./keys.ts";
import { addSearch } from "./search.ts";
import { serve } from "./serve.ts";

const settings = Object.entries(variables)
  .map(([name, meaning]) => `  ${name.padEnd(18)} ${meaning}`)
  .join("\n");

const exitCodes = `
Exit codes:
  0  done
  1  failed, or a count is wrong (counts verify)
  2  wrong usage or setting
  3  no database`;

const program = new Command("project-feedback")
  .description("The Project Feedback Service and its operator's commands: accounts, keys, counts, search.")
  .addHelpText("after", `\nEnvironment:\n${settings}\n${exitCodes}`)
  .exitOverride();

program
  .command("serve")
  .description("Run the server until SIGINT or SIGTERM.")
  .addHelpText(
    "after",
    `
Examples:
  project-feedback serve
  PORT=8080 WORKERS=2 MONGODB_URI='mongodb://db/feedback?replicaSet=rs0' project-feedback serve

Environment:
${settings}
${exitCodes}`,
  )
  .action(() => serve(process.env));
addAccounts(program);
addKeys(program);
addCounts(program);
addSearch(program);
for (const command of program.commands) {
  command.exitOverride();
  for (const inner of command.commands) inner.exitOverride().addHelpText("after", exitCodes);
}

/** 0 done, 1 failed, 2 wrong usage or setting, 3 no database. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof ConfigError || isBadAddress(error)) return 2;
  if (error instanceof EmbeddedError || isOutage(error)) return 3;
  return 1;
}

function printError(error: unknown): void {
  if (error instanceof CommanderError) return; // commander has printed it
  const expected = error instanceof ConfigError || error instanceof EmbeddedError || error instanceof CommandError;
  if (expected) console.error(error.message);
  else if (isBadAddress(error)) console.error(`MONGODB_URI cannot be used: ${(error as Error).message}. Correct it.`);
  else if (isOutage(error)) {
    console.error(
      `The database cannot be reached (${(error as Error).message}). Check MONGODB_URI and that it is running.`,
    );
  } else console.error(error);
}

try {
  await program.parseAsync();
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
