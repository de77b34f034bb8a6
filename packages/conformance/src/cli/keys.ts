import { parse } from "yaml";
import { readText } from "../configuration.ts";
import { ConfigurationError } from "../engine/outcome.ts";
import type { Holder } from "../engine/terms.ts";
import type { ConformanceOptions } from "../options.ts";

/** Where a key is looked for: a flag, a variable of the environment, or a line of the file of keys, in this order. */
export const sources: Readonly<Record<Holder, { readonly flag: string; readonly variable: string }>> = {
  developer: { flag: "--developer-key", variable: "PROJECT_FEEDBACK_DEVELOPER_KEY" },
  tester: { flag: "--tester-key", variable: "PROJECT_FEEDBACK_TESTER_KEY" },
  otherDeveloper: { flag: "--other-developer-key", variable: "PROJECT_FEEDBACK_OTHER_DEVELOPER_KEY" },
  spare: { flag: "--spare-key", variable: "PROJECT_FEEDBACK_SPARE_KEY" },
};

export interface KeyFlags {
  readonly developerKey?: string;
  readonly testerKey?: string;
  readonly otherDeveloperKey?: string;
  readonly spareKey?: string;
  readonly keyFile?: string;
}

/** @throws ConfigurationError that says where a key that is needed can be given; no message repeats a key */
export function readKeys(
  flags: KeyFlags,
  environment: NodeJS.ProcessEnv,
  needed: readonly Holder[] = ["developer", "tester"],
): ConformanceOptions["keys"] {
  const file = flags.keyFile === undefined ? {} : fileOfKeys(flags.keyFile);
  const find = (holder: Holder): string | undefined =>
    flags[`${holder}Key`] ?? (environment[sources[holder].variable] || undefined) ?? file[holder];
  for (const holder of needed) {
    if (find(holder)) continue;
    const { flag, variable } = sources[holder];
    throw new ConfigurationError(
      `The ${holder}'s key is missing. Give it with ${flag}, in ${variable}, or as \`${holder}: …\` in a --key-file.`,
    );
  }
  const [otherDeveloper, spare] = [find("otherDeveloper"), find("spare")];
  return {
    developer: find("developer") ?? "",
    tester: find("tester") ?? "",
    ...(otherDeveloper === undefined ? {} : { otherDeveloper }),
    ...(spare === undefined ? {} : { spare }),
  };
}

function fileOfKeys(path: string): Partial<Record<Holder, string>> {
  const wrong = new ConfigurationError(
    `${path} is no file of keys: lines \`developer: …\`, \`tester: …\`, \`otherDeveloper: …\`, \`spare: …\`.`,
  );
  const text = readText(path, "the file of keys");
  let value: unknown;
  try {
    value = parse(text);
  } catch {
    // The parser's message would repeat the line, and with it a key.
    throw wrong;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong;
  const entries = Object.entries(value);
  if (entries.some(([holder, key]) => !Object.hasOwn(sources, holder) || typeof key !== "string")) throw wrong;
  return Object.fromEntries(entries);
}
