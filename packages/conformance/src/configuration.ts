import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { ConfigurationError } from "./engine/outcome.ts";
import type { Deployment } from "./options.ts";
import { complaints, schemaOf } from "./schemas.ts";

/** Reads conformance.yaml. @throws ConfigurationError that names the file and the place */
export function readConfiguration(path: string): Deployment {
  const text = readText(path, "the configuration");
  let value: unknown;
  try {
    value = parse(text) ?? {};
  } catch (error) {
    throw new ConfigurationError(
      `${path} is no YAML: ${error instanceof Error ? error.message.split("\n")[0]?.replace(/:$/, "") : error}`,
    );
  }
  const valid = schemaOf<Deployment>("configuration");
  if (valid(value)) return value;
  throw new ConfigurationError(`${path} is not as it ought to be: ${complaints(valid).join("; ")}.`);
}

/** @throws ConfigurationError where the file cannot be read */
export function readText(path: string, what: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new ConfigurationError(`Cannot read ${what} ${path}: ${(error as NodeJS.ErrnoException).code}.`);
  }
}
