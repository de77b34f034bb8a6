// Prints how many tests passed and failed, as "P F", from the reports that vitest wrote in each package.
import { globSync, readFileSync } from "node:fs";

const reports = globSync(["{spec,bench,packages/*}/.vitest-reports/*.json"]);
if (reports.length === 0) throw new Error("There are no vitest reports. Run the tests first.");

let passed = 0;
let failed = 0;
for (const file of reports) {
  const report = JSON.parse(readFileSync(file, "utf8")) as {
    numPassedTests: number;
    numFailedTests: number;
    numFailedTestSuites: number;
  };
  passed += report.numPassedTests;
  // A file that could not be loaded has no tests and counts as one failure.
  failed += report.numFailedTests === 0 ? report.numFailedTestSuites : report.numFailedTests;
}
console.log(`${passed} ${failed}`);
