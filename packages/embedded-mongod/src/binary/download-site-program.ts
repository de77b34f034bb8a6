// Runs in a process of its own, started by download-site.ts: the library prints progress and warnings to the console
// and cannot be stopped. Arguments: version, folder. The last line of stdout is the path of the binary.
import { MongoBinary } from "mongodb-memory-server-core";

const [version = "", downloadDir = ""] = process.argv.slice(2);
try {
  console.log(`\n${await MongoBinary.getPath({ version, downloadDir })}`);
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  console.error(message.replace(/\s*\n\s*/g, " ") || code);
  process.exitCode = 1;
}
