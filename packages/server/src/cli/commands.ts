import { Command, CommanderError } from "commander";
import { ConfigError, variables } from "../config.ts";
import { addAccounts } from "./accounts.ts";
import { addBackup } from "./backup.ts";
import { checkStart } from "./check.ts";
import { CommandError, type ExitCode } from "./command-error.ts";
import { addCounts } from "./counts.ts";
import { addKeys } from "./keys.ts";
import { serve } from "./serve.ts";
import { addUpgrade } from "./upgrade.ts";

const settings = Object.entries(variables)
  .map(([name, meaning]) => `  ${name.padEnd(18)} ${meaning}`)
  .join("\n");

const exitCodes = `
Exit codes:
  0         done
  1         failed, or a count is wrong (counts verify)
  2         wrong usage or setting
  3         no database: it cannot be reached, refuses the user, or was lost
  130, 143  stopped at once, by a second SIGINT or SIGTERM`;

const program = new Command("project-feedback")
  .description(
    "The Project Feedback Service and its operator's commands: accounts, keys, counts, backup, restore, upgrade.",
  )
  .addHelpText("after", `\nEnvironment:\n${settings}\n${exitCodes}`)
  .exitOverride();

program
  .command("serve")
  .description("Run the server until SIGINT or SIGTERM. SIGHUP reloads the certificate.")
  .option("--check", "check the settings and the database, change nothing, and exit")
  .addHelpText(
    "after",
    `
Examples:
  project-feedback serve
  project-feedback serve --check
  PORT=8080 WORKERS=2 MONGODB_URI='mongodb://db/feedback?replicaSet=rs0' project-feedback serve

Environment:
${settings}
${exitCodes}`,
  )
  .action(async ({ check }: { check?: boolean }) => {
    if (check) await checkStart(process.env);
    else process.exitCode = await serve(process.env);
  });
addAccounts(program);
addKeys(program);
addCounts(program);
addUpgrade(program);
addBackup(program);
for (const command of program.commands) {
  command.exitOverride();
  for (const inner of command.commands) inner.exitOverride().addHelpText("after", exitCodes);
}

/** Prints what went wrong. @returns the exit code */
function printError(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has printed it
  if (error instanceof ConfigError || error instanceof CommandError) {
    console.error(error.message);
    return error instanceof ConfigError ? 2 : error.exitCode;
  }
  console.error(error);
  return 1;
}

try {
  // Without a command, as in `npx @project-feedback/server`, it serves.
  await program.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, "serve"]);
} catch (error) {
  process.exitCode = printError(error);
}
// A connection to a database that is away must not keep the process.
process.exit();
