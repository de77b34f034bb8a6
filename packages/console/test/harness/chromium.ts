import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

/** Starts Chromium: the one at the path in CHROMIUM, or else the one on the PATH. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM || execFileSync("which", ["chromium"], { encoding: "utf8" }).trim();
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}
