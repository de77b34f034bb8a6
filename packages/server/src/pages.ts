import { builtFolder, type PageFile, readFiles } from "@project-feedback/console";
import type { Pages } from "./http/pages.ts";

/** The pages of the console: read once they are built, which `cli/build-pages.ts` may still be doing. */
export function openPages(): Pages {
  const folder = builtFolder();
  let files: ReadonlyMap<string, PageFile> | undefined;
  return {
    files() {
      files ??= readFiles(folder);
      return files;
    },
  };
}
