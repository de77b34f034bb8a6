import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { upgradeRecords } from "../store/upgrade.ts";
import { withDatabase } from "./database.ts";
import { print } from "./output.ts";

/** `upgrade`: brings stored records up to date with this version. */
export function addUpgrade(program: Command): void {
  program
    .command("upgrade")
    .description(
      "Bring the records of an earlier version up to date, the search index included, while the server runs.",
    )
    .option("--json", "print JSON: {projects, feedback}, the numbers of changed records")
    .addHelpText("after", "\nExample:\n  project-feedback upgrade")
    .action(async ({ json }: { readonly json?: boolean }) => {
      const upgraded = await withDatabase(readConfig(process.env), upgradeRecords);
      print(json, upgraded, () => [
        `Upgraded ${upgraded.projects} projects and ${upgraded.feedback} records of feedback.`,
      ]);
    });
}
