import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { type Difference, repairCounts, verifyCounts } from "../store/counts.ts";
import { withDatabase } from "./database.ts";
import { print } from "./output.ts";

interface Format {
  readonly json?: boolean;
}

function lineOf({ kind, of, off }: Difference): string {
  const parts = Object.entries(off).map(([name, by]) => `${name} ${by > 0 ? "+" : ""}${by}`);
  return `  ${kind} ${of}: ${parts.join(", ")}`;
}

/** `counts verify|repair`: the counts behind every total, compared with what counting finds. */
export function addCounts(program: Command): void {
  const counts = program
    .command("counts")
    .description("The counts that are kept, so that totals cost the same at any size.");

  counts
    .command("verify")
    .description(
      "Count everything and compare, at one point in time, while the server goes on. Exit code 1 where a count is off.",
    )
    .option("--json", "print JSON: {clean, differences: [{kind, of, off}]}")
    .addHelpText("after", "\nExample:\n  project-feedback counts verify")
    .action(async ({ json }: Format) => {
      const differences = await withDatabase(readConfig(process.env), verifyCounts);
      const clean = differences.length === 0;
      print(json, { clean, differences }, () =>
        clean
          ? ["Every count is right."]
          : [
              `${differences.length} counts are off, by what is to be added:`,
              ...differences.map(lineOf),
              "Correct them with: project-feedback counts repair",
            ],
      );
      if (!clean) process.exitCode = 1;
    });

  counts
    .command("repair")
    .description("Correct every count that is off, while the server goes on.")
    .option("--json", "print JSON: {repaired: [{kind, of, off}]}")
    .addHelpText("after", "\nExample:\n  project-feedback counts repair")
    .action(async ({ json }: Format) => {
      const repaired = await withDatabase(readConfig(process.env), async (database) => {
        const differences = await verifyCounts(database);
        await repairCounts(database, differences);
        return differences;
      });
      print(json, { repaired }, () =>
        repaired.length === 0
          ? ["Every count was right."]
          : [`Corrected ${repaired.length} counts:`, ...repaired.map(lineOf)],
      );
    });
}
