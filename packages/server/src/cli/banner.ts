import type { Config } from "../config.ts";
import type { DemoKeys } from "./demo.ts";

/** What a start prints on a terminal: the address, the demo keys where they were just created, and commands to paste. */
export function banner(base: string, { dataDir }: Pick<Config, "dataDir">, demo: DemoKeys | null): string {
  // The commands open the same folder only where they are told of it.
  const settings = dataDir === ".data" ? "" : `DATA_DIR='${dataDir}' `;
  const keys = demo
    ? ["Demo keys, shown this once (team plan):", `  developer  ${demo.developer}`, `  tester     ${demo.tester}`]
    : [
        "Keys were shown when they were created. For another one:",
        `  ${settings}npx -y pnpm@12 -s project-feedback accounts list`,
        `  ${settings}npx -y pnpm@12 -s project-feedback keys create --account ID`,
      ];
  const key = demo?.developer ?? "$KEY";
  const lines = [
    "",
    `Project Feedback Service: ${base}`,
    "",
    ...keys,
    "",
    demo ? "Try it:" : "Try it, after KEY=pfs_... (a developer's key):",
    `  curl -s ${base}/projects -H 'Content-Type: application/json' -H "Authorization: Bearer ${key}" -d '{"title":"Pocket Garden","description":"Plan beds for small gardens.","category":"mobile"}'`,
    `  curl -s ${base}/projects -H "Authorization: Bearer ${key}"`,
    "",
    "Ctrl-C stops it; the data stays.",
    "",
  ];
  return lines.join("\n");
}
