import type { Check } from "../../engine/check.ts";
import { conditions } from "./conditions.ts";
import { errors } from "./errors.ts";
import { extensions } from "./extensions.ts";
import { feedback } from "./feedback.ts";
import { input } from "./input.ts";
import { projects } from "./projects.ts";
import { protocol } from "./protocol.ts";

/** Checks of the reference's choices. */
export const chosenChecks: readonly Check[] = [
  ...errors,
  ...input,
  ...projects,
  ...feedback,
  ...protocol,
  ...conditions,
  ...extensions,
];
