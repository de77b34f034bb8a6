import type { Config } from "../config.ts";
import type { DemoAccounts } from "./demo.ts";
import { invocation } from "./invocation.ts";

/**
 * What a start prints on a terminal: the address, the keys and links of the demo accounts where they were just created,
 * and commands to paste.
 */
export function banner(base: string, { dataDir }: Pick<Config, "dataDir">, demo: DemoAccounts | null): string {
  // The commands open the same folder only where they are told of it.
  const settings = dataDir === ".data" ? "" : `DATA_DIR='${dataDir}' `;
  const command = `  ${settings}${invocation}`;
  const keys = demo
    ? [
        "Sign in with one of these links, which work once, for one hour:",
        `  developer  ${demo.developer.link}`,
        `  tester     ${demo.tester.link}`,
        "",
        "Demo keys, shown this once (team plan):",
        `  developer  ${demo.developer.key}`,
        `  tester     ${demo.tester.key}`,
      ]
    : [
        "Sign-in links and keys were shown when they were created. For another one:",
        `${command} accounts list`,
        `${command} accounts invite --account ID`,
        `${command} keys create --account ID`,
      ];
  const key = demo?.developer.key ?? "$KEY";
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
