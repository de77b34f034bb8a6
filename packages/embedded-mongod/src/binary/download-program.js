// Runs in a process of its own, which can be killed at any point. Arguments: URL, file to write. It is JavaScript because
// a bundle of this package has it as a file of its own, on a Node that may load no TypeScript.
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";

const [url = "", file = ""] = process.argv.slice(2);
try {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`HTTP status ${response.status}`);
  await pipeline(response.body, createWriteStream(file));
} catch (error) {
  // fetch says only "fetch failed"; the reason is its cause.
  const { message, cause } = error;
  console.error(cause instanceof Error ? cause.message : message);
  process.exitCode = 1;
}
