import { readFileSync } from "node:fs";
import { git } from "./repository.ts";

/** The release before this one, as previous.json names it: the last step of a release writes its own commit there. */
export interface Previous {
  readonly version: string;
  readonly commit: string;
}

export function readPrevious(): Previous {
  return JSON.parse(readFileSync(new URL("../previous.json", import.meta.url), "utf8"));
}

/** The text of a file in the previous release. */
export function previousFile(path: string): string {
  return git("show", `${readPrevious().commit}:${path}`);
}

/** Paths of the files in a folder of the previous release. */
export function previousFiles(folder: string): string[] {
  return git("ls-tree", "--name-only", readPrevious().commit, `${folder}/`).split("\n");
}
