// Lints the contract with Spectral, by its own rules and those of OWASP: `pnpm --filter @project-feedback/interop lint`.
// Every rule with a finding must be explained in the README, and every explained rule must have a finding.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openapiUrl } from "@project-feedback/spec";
import { nodeFolder } from "../src/tools.ts";

interface Finding {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}

const [spectral, owasp] = ["@stoplight/spectral-cli@6.16.3", "@stoplight/spectral-owasp-ruleset@2.0.1"];
const folder = nodeFolder("spectral-6.16.3-owasp-2.0.1", [spectral, owasp]);
writeFileSync(join(folder, "rules.yaml"), 'extends: ["spectral:oas", "@stoplight/spectral-owasp-ruleset"]\n');
const options = ["--ruleset", "rules.yaml", "--format", "json", "--quiet"];
const { stdout, stderr } = spawnSync(
  join(folder, "node_modules", ".bin", "spectral"),
  ["lint", ...options, fileURLToPath(openapiUrl)],
  {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  },
);
if (!stdout.startsWith("[")) throw new Error(`Spectral did not lint the contract: ${stderr || stdout}`);
const findings: Finding[] = JSON.parse(stdout);

/** A rule's name, without its category: `rate-limit` of `owasp:api4:2023-rate-limit`. */
const nameOf = ({ code }: Finding) => code.replace(/^owasp:.*:\d+-/, "");
const found = new Map(findings.map((finding) => [nameOf(finding), finding]));

const [, section = ""] = readFileSync(new URL("../README.md", import.meta.url), "utf8").split(
  "The findings of the OWASP ruleset:",
);
const explained = new Set([...section.matchAll(/^- (`[^:]+`):/gm)].flatMap(([, names = ""]) => names.match(/[\w-]+/g)));

const faults = [
  ...[...found].flatMap(([name, { message, path }]) =>
    explained.has(name) ? [] : [`${name}: ${message} (${path.join("/")}) Mend it, or explain it in the README.`],
  ),
  ...[...explained].flatMap((name) =>
    found.has(name ?? "") ? [] : [`${name} is explained in the README and finds nothing. Remove the explanation.`],
  ),
];
for (const fault of faults) console.error(fault);
console.log(`${findings.length} findings of ${found.size} rules, ${explained.size} of them explained.`);
process.exitCode = faults.length > 0 ? 1 : 0;
