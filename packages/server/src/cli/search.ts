import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { rebuildSearchIndex } from "../store/search-index.ts";
import { withDatabase } from "./database.ts";
import { print } from "./output.ts";

/** `search reindex`: writes the words of all projects again. */
export function addSearch(program: Command): void {
  const search = program.command("search").description("The index that a search uses.");
  search
    .command("reindex")
    .description("Index every project again, while the server runs. Run it once after an upgrade that asks for it.")
    .option("--json", "print JSON: {projects, changed}")
    .addHelpText("after", "\nExample:\n  project-feedback search reindex")
    .action(async ({ json }: { readonly json?: boolean }) => {
      const rebuilt = await withDatabase(readConfig(process.env), rebuildSearchIndex);
      print(json, rebuilt, () => [`Indexed ${rebuilt.projects} projects; ${rebuilt.changed} had other words before.`]);
    });
}
