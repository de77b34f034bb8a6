/** The roles that may ask, and for lists the parameters. */
const both = ["developer", "tester"] as const;
const projectParameters = ["", "page", "perPage", "status", "category", "search"] as const;
const feedbackParameters = ["", "page", "perPage", "status", "testerId", "sort"] as const;

const operations = [
  "listProjects",
  "getProject",
  "createProject",
  "updateProject",
  "deleteProject",
  "listFeedback",
  "getFeedback",
  "createFeedback",
  "updateFeedback",
  "markFeedbackHelpful",
  "replyToFeedback",
] as const;

/** A combination that the interface names: a clause holds in each of its cells. */
export interface Cell {
  readonly clause: string;
  readonly operation: string;
  readonly role: string;
  /** A parameter of a list; "" for none. */
  readonly parameter: string;
}

const cells = (
  clause: string,
  names: readonly string[],
  roles: readonly string[],
  parameters: readonly string[] = [""],
): Cell[] =>
  names.flatMap((operation) =>
    roles.flatMap((role) => parameters.map((parameter) => ({ clause, operation, role, parameter }))),
  );

const developer = ["developer"] as const;
const tester = ["tester"] as const;

/** Every cell of the stated clauses that a client can reach. */
export const allCells: readonly Cell[] = [
  ...cells("S-BASE-3", operations, ["developer"]),
  ...cells("S-AUTH-1", operations, ["nobody"]),
  ...cells("S-AUTH-2", operations, ["nobody"]),
  ...cells("S-AUTH-3", operations, ["developer"]),
  ...cells("S-PAGE-1", ["listProjects"], both, projectParameters),
  ...cells("S-PAGE-1", ["listFeedback"], both, feedbackParameters),
  ...cells("S-PROJ-LIST-1", ["listProjects"], both, projectParameters),
  ...cells("S-PROJ-LIST-2", ["listProjects"], both, ["", "page", "perPage"]),
  ...cells("S-PROJ-LIST-3", ["listProjects"], both, ["page", "perPage", "status", "category", "search"]),
  ...cells("S-PROJ-LIST-4", ["listProjects"], both, ["page", "perPage", "status", "category", "search"]),
  ...cells("S-PROJ-LIST-5", ["listProjects"], both, ["page", "perPage", "status", "category", "search"]),
  ...cells("S-PROJ-GET-1", ["getProject"], both),
  ...cells("S-PROJ-CREATE-1", ["createProject"], developer),
  ...cells("S-PROJ-CREATE-2", ["getProject", "createProject"], developer),
  ...cells("S-PROJ-PATCH-1", ["updateProject", "getProject"], developer),
  ...cells("S-PROJ-PATCH-1", ["listProjects"], developer, ["search"]),
  ...cells("S-PROJ-DELETE-1", ["deleteProject"], developer),
  ...cells("S-PROJ-DELETE-1", ["getProject"], both),
  ...cells("S-PROJ-DELETE-1", ["listProjects"], both, ["perPage", "status", "category", "search"]),
  ...cells("S-PROJ-TYPE-1", ["listProjects", "getProject"], both),
  ...cells("S-PROJ-TYPE-1", ["createProject"], developer),
  ...cells("S-FB-LIST-1", ["listFeedback"], both, feedbackParameters),
  ...cells("S-FB-LIST-2", ["listFeedback"], both, ["page", "perPage", "status", "testerId", "sort"]),
  ...cells("S-FB-LIST-3", ["listFeedback"], both, ["page", "perPage", "status", "testerId", "sort"]),
  ...cells("S-FB-GET-1", ["getFeedback"], both),
  ...cells("S-FB-CREATE-1", ["createFeedback"], tester),
  ...cells("S-FB-CREATE-2", ["getFeedback", "createFeedback"], tester),
  ...cells("S-FB-CREATE-3", ["getFeedback"], both),
  ...cells("S-FB-CREATE-3", ["createFeedback"], tester),
  ...cells("S-FB-PATCH-1", ["updateFeedback"], tester),
  ...cells("S-FB-PATCH-2", ["updateFeedback"], both),
  ...cells("S-FB-HELP-1", ["markFeedbackHelpful"], developer),
  ...cells("S-FB-REPLY-1", ["replyToFeedback"], developer),
  ...cells("S-ROLE-1", ["markFeedbackHelpful", "replyToFeedback"], tester),
  ...cells("S-RATE-1", operations, developer),
  ...cells("S-RATE-2", ["listProjects"], both),
  ...cells("S-RATE-3", operations, developer),
];

/** Whether a behaviour, told as `operation role parameters`, lies in a cell. */
export function liesIn(behaviour: string, { operation, role, parameter }: Cell): boolean {
  const [where, who, asked = ""] = behaviour.split(" ");
  // Testers submit and change feedback; where the developer does the same, the cell is the same.
  return (
    where === operation &&
    who === role &&
    (parameter === "" ? asked === "" || !operation.startsWith("list") : asked.split("+").includes(parameter))
  );
}
