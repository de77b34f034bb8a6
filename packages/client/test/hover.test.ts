import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

const home = fileURLToPath(new URL("..", import.meta.url));
const file = `${home}hover.ts`;

/** A program with the types and methods that users see most. The editor shows a hover for each name after a mark. */
const program = `
import { createClient, isStatusError } from "@project-feedback/client";
import type {
  /**/Client, /**/ClientOptions, /**/Project, /**/ProjectCreate, /**/ProjectItem, /**/ProjectQuery, /**/Feedback,
  /**/FeedbackCreate, /**/List, /**/RateLimit, /**/NotFoundError,
} from "@project-feedback/client";
const client = /**/createClient({ baseUrl: "", apiKey: "", /**/maxRetries: 1 });
const /**/list = client.projects./**/list({ /**/status: "active" });
const /**/created = await client.projects./**/create({ /**/title: "", description: "", category: "web" });
const /**/project = await client.projects./**/get("");
const /**/updated = await client.projects.update("", { /**/projectUrl: null });
for await (const /**/item of list) item./**/createdAt;
const /**/sent = await client.feedback./**/create("", { /**/overallRating: 4, /**/bugs: [] });
project./**/stats./**/views;
project./**/rateLimit;
const { /**/data, /**/response } = await client.feedback.get("").withResponse();
export const caught = (/**/error: unknown) => isStatusError(error) && error.status === 404 && /**/error;
`;

test("the hover texts of the most used types and methods name the models", async () => {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts"],
    strict: true,
    exactOptionalPropertyTypes: true,
    types: [],
  };
  const service = ts.createLanguageService({
    ...{ getCompilationSettings: () => options, getScriptFileNames: () => [file], getScriptVersion: () => "1" },
    getScriptSnapshot: (name) => {
      const text = name === file ? program : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    ...{ getCurrentDirectory: () => home, getDefaultLibFileName: ts.getDefaultLibFilePath },
    ...{ fileExists: (name) => name === file || ts.sys.fileExists(name), readFile: ts.sys.readFile },
    ...{ directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories },
  });
  const problems = service.getSemanticDiagnostics(file).map(({ messageText }) => messageText);
  expect(problems).toEqual([]);

  const hovers = [...program.matchAll(/\/\*\*\//g)].map(({ index }) => {
    const info = service.getQuickInfoAtPosition(file, index + 4);
    const docs = ts.displayPartsToString(info?.documentation);
    return `${ts.displayPartsToString(info?.displayParts)}\n${docs.replace(/^/gm, "  ")}\n`;
  });
  expect(hovers.join("\n")).not.toMatch(/any\b|components\[/);
  await expect(hovers.join("\n")).toMatchFileSnapshot("hover.txt");
});
