/** How the command line is started, for messages to paste: in a clone the sources run, in the package a bundle of them. */
export const invocation = import.meta.url.endsWith(".ts")
  ? "npx -y pnpm@12 -s project-feedback"
  : "npx @project-feedback/server";
