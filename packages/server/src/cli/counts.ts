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

/** `counts verify|repair`: compares the stored counts with the records. */
export function addCounts(program: Command): void {
  const counts = program.command("counts").description("The stored counts behind all totals.");

  counts
    .command("verify")
    .description(
      "Count everything in one snapshot and compare, while the server runs. Exit code 1 if a count is wrong.",
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
              `${differences.length} counts are wrong. Differences to add:`,
              ...differences.map(lineOf),
              "Correct them with: project-feedback counts repair",
            ],
      );
      if (!clean) process.exitCode = 1;
    });

  counts
    .command("repair")
    .description("Correct every wrong count, while the server runs.")
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
