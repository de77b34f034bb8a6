import type { Deployment } from "../../src/options.ts";
import type { Choices } from "../example/choices.ts";

/** A legal server in memory: what it chooses, and what its operator declares in conformance.yaml. */
export interface Choice {
  readonly id: string;
  readonly description: string;
  readonly choices: Partial<Choices>;
  readonly declares?: Deployment;
}

/** A server for each line of the legal choices that the interface leaves open. */
export const choices: readonly Choice[] = [
  {
    id: "counted-by-endpoint",
    description: "Each endpoint has an allowance of its own.",
    choices: { countedPer: "endpoint" },
  },
  {
    id: "counted-reads-and-writes",
    description: "Reads and writes are counted separately.",
    choices: { countedPer: "read-write" },
  },
  { id: "refusals-free", description: "Requests that are refused do not count.", choices: { refusalsCount: false } },
  {
    id: "exhausted-403",
    description: "An exhausted allowance is answered 403 with Remaining 0.",
    choices: { exhausted: 403 },
  },
  {
    id: "exhausted-503",
    description: "An exhausted allowance is answered 503 with Remaining 0.",
    choices: { exhausted: 503, retryAfter: false },
  },
  { id: "reset-minutes", description: "Reset is in minutes left, rounded down.", choices: { reset: "minutes" } },
  { id: "reset-seconds-left", description: "Reset is in seconds left, rounded down.", choices: { reset: "seconds" } },
  { id: "reset-milliseconds-left", description: "Reset is in milliseconds left.", choices: { reset: "milliseconds" } },
  {
    id: "reset-unix-milliseconds",
    description: "Reset is Unix time in milliseconds.",
    choices: { reset: "unix-milliseconds" },
  },
  {
    id: "refilled",
    description: "The allowance of the Team plan is refilled little by little.",
    choices: { refill: 10_000, allowances: { developer: 10_000, tester: 10_000, spare: 100 } },
  },
  {
    id: "unavailable-at-times",
    description: "Every 20th request is answered 503 with Retry-After.",
    choices: { unavailableEvery: 20 },
  },
  {
    id: "testers-read-nothing",
    description: "Testers neither read nor list feedback.",
    choices: { testersSeeFeedback: "none" },
  },
  {
    id: "testers-read-nothing-lean",
    description: "Testers neither read nor list feedback, and writes return the least.",
    choices: { testersSeeFeedback: "none", writes: "least", detail: "stated" },
  },
  {
    id: "testers-read-their-own",
    description: "Testers read and list their own feedback alone.",
    choices: { testersSeeFeedback: "own" },
  },
  {
    id: "approved-in-a-second",
    description: "Submitted feedback is approved after a second.",
    choices: { settlesAfter: 1_000 },
    declares: { settle: 2 },
  },
  {
    id: "approved-in-a-moment",
    description: "Submitted feedback is approved after 300 ms; nothing is declared.",
    choices: { settlesAfter: 300 },
  },
  {
    id: "active-in-a-second",
    description: "A project is a draft for a second, and then active.",
    choices: { settlesAfter: 1_000, projectStart: "draft" },
    declares: { settle: 2 },
  },
  {
    id: "active-in-two-seconds",
    description: "A project is a draft for two seconds, and then active; nothing is declared.",
    choices: { settlesAfter: 2_000, projectStart: "draft" },
  },
  { id: "approved-by-a-reply", description: "A reply approves feedback.", choices: { statusAfterReply: "approved" } },
  {
    id: "approved-by-a-mark",
    description: "A mark approves feedback, and a reply rejects it.",
    choices: { statusAfterMark: "approved", statusAfterReply: "rejected" },
  },
  ...[1, 2, 5, 9].flatMap(
    (max) =>
      [
        {
          id: `feedback-page-${max}-clamped`,
          description: `The feedback list has at most ${max} items a page; more is cut.`,
          choices: { feedbackPerPage: { default: max, max }, perPageAbove: "clamp" },
        },
        {
          id: `feedback-page-${max}-refused`,
          description: `The feedback list has at most ${max} items a page; more is refused, and a page past the end is 404.`,
          choices: { feedbackPerPage: { default: max, max }, pastTheEnd: "not-found" },
        },
      ] as const,
  ),
  {
    id: "feedback-page-5-declared",
    description: "The feedback list has at most 5 items a page, as is declared; its default is 3.",
    choices: { feedbackPerPage: { default: 3, max: 5 } },
    declares: { limits: { feedbackPerPage: 5 } },
  },
  { id: "past-the-end-404", description: "A page past the end is 404.", choices: { pastTheEnd: "not-found" } },
  { id: "bug-ids-local", description: "Bug ids are unique within their feedback only.", choices: { bugIds: "local" } },
  {
    id: "one-submission",
    description: "A tester submits once to each project.",
    choices: { feedbackPerTester: 1 },
    declares: { limits: { feedbackPerTester: 1 } },
  },
  {
    id: "one-submission-testers-only",
    description: "A tester submits once to each project, and developers never.",
    choices: { feedbackPerTester: 1, developersSubmitFeedback: false },
    declares: { limits: { feedbackPerTester: 1 } },
  },
  { id: "time-short-offset", description: "Timestamps end in +00.", choices: { time: "short-offset" } },
  { id: "time-basic-offset", description: "Timestamps end in +0000.", choices: { time: "basic-offset" } },
  { id: "time-comma", description: "Timestamps have a comma before the fraction.", choices: { time: "comma" } },
  { id: "time-seconds", description: "Timestamps are told to the second.", choices: { time: "seconds" } },
  {
    id: "keys-of-one-letter",
    description: "The keys are 1 and 2.",
    choices: { keys: { developer: "1", tester: "2" } },
  },
  {
    id: "keys-of-a-word",
    description: "The keys are words that occur in responses.",
    choices: { keys: { developer: "dev", tester: "tester" } },
  },
  {
    id: "keys-are-accounts",
    description: "A key is the id of its account.",
    choices: {
      keys: { developer: "account-1-developer", tester: "account-2-tester" },
      accounts: { developer: "account-1-developer", tester: "account-2-tester" },
    },
  },
  {
    id: "keys-are-numbers",
    description: "A key is the number of its account.",
    choices: {
      keys: { developer: "123456789012", tester: "123456789013" },
      accounts: { developer: "123456789012", tester: "123456789013" },
    },
  },
  {
    id: "rating-1-to-3",
    description: "Ratings are 1 to 3.",
    choices: { rating: { min: 1, max: 3, step: 1 } },
    declares: { limits: { rating: { min: 1, max: 3, step: 1 } } },
  },
  {
    id: "rating-1-to-3-undeclared",
    description: "Ratings are 1 to 3; nothing is declared.",
    choices: { rating: { min: 1, max: 3, step: 1 } },
  },
  {
    id: "rating-1-to-4",
    description: "Ratings are 1 to 4; nothing is declared.",
    choices: { rating: { min: 1, max: 4, step: 1 } },
  },
  {
    id: "rating-1-to-10",
    description: "Ratings are 1 to 10; nothing is declared.",
    choices: { rating: { min: 1, max: 10, step: 1 } },
  },
  {
    id: "rating-by-tens",
    description: "Ratings are 0 to 100 in steps of ten.",
    choices: { rating: { min: 0, max: 100, step: 10 } },
    declares: { limits: { rating: { min: 0, max: 100, step: 10 } } },
  },
  {
    id: "short-titles",
    description: "Titles have at most 40 characters; nothing is declared.",
    choices: { title: { min: 1, max: 40 } },
  },
  {
    id: "shorter-titles",
    description: "Titles have at most 30 characters.",
    choices: { title: { min: 1, max: 30 } },
    declares: { limits: { title: { min: 1, max: 30 } } },
  },
  {
    id: "short-descriptions",
    description: "Descriptions have at most 60 characters; nothing is declared.",
    choices: { description: { min: 1, max: 60 } },
  },
  {
    id: "long-descriptions",
    description: "Descriptions have at least 100 characters.",
    choices: { description: { min: 100, max: 5_000 } },
    declares: { limits: { description: { min: 100, max: 5_000 } } },
  },
  {
    id: "long-texts",
    description: "Texts of feedback have at least 30 characters; nothing is declared.",
    choices: { text: { min: 30, max: 2_000 } },
  },
  {
    id: "one-screenshot",
    description: "A project has one screenshot.",
    choices: { screenshots: 1 },
    declares: { limits: { screenshots: 1 } },
  },
  { id: "one-bug", description: "Feedback has one bug.", choices: { bugs: 1 }, declares: { limits: { bugs: 1 } } },
  {
    id: "ten-testers",
    description: "A project has at most 10 testers; nothing is declared.",
    choices: { testers: 10 },
  },
  {
    id: "three-projects",
    description: "An account has at most three projects.",
    choices: { projects: 3 },
    declares: { limits: { projects: 3 } },
  },
  {
    id: "one-project",
    description: "An account has one project.",
    choices: { projects: 1 },
    declares: { limits: { projects: 1 } },
  },
  {
    id: "drafts-published",
    description: "A project is a draft until a PATCH publishes it.",
    choices: { projectStart: "draft" },
    declares: { project: { patch: { status: "active" } } },
  },
  {
    id: "published-at-creation",
    description: "A project is a draft unless its creation says otherwise.",
    choices: { projectStart: "draft" },
    declares: { project: { fields: { status: "active" } } },
  },
  { id: "ids-uuid", description: "Ids are UUIDs.", choices: { ids: "uuid" } },
  { id: "ids-digits", description: "Ids are digits.", choices: { ids: "digits" } },
  {
    id: "ids-unusual",
    description: "Ids hold slashes, spaces, quotes and letters beyond ASCII.",
    choices: { ids: "encoded" },
  },
  {
    id: "rising-and-oldest",
    description: "Lists are oldest first, and sorts rise.",
    choices: { order: "oldest", sort: "rising" },
  },
  {
    id: "marks-add-up",
    description: "Every mark counts, and replies append.",
    choices: { marks: "add", replies: "append" },
  },
  { id: "marks-toggle", description: "A second mark takes the first one back.", choices: { marks: "toggle" } },
  {
    id: "statuses-422",
    description: "Invalid input is 422, what is forbidden or deleted is 404 or 410, and conflicts are 423.",
    choices: { invalid: 422, forbidden: 404, gone: 410, conflict: 423, created: 200 },
  },
  {
    id: "refusals-in-problems",
    description: "Refusals are problem documents, and success is 202.",
    choices: { refusalBody: "problem", success: 202, created: 202 },
  },
  { id: "refusals-empty", description: "Refusals have no body.", choices: { refusalBody: "empty" } },
  {
    id: "refusals-401",
    description: "What a role or a state forbids is 401.",
    choices: { forbidden: 401, conflict: 401 },
  },
  {
    id: "testers-create-projects",
    description: "Testers may create projects.",
    choices: { testersCreateProjects: true },
  },
  {
    id: "developers-do-not-submit",
    description: "Developers may not submit feedback.",
    choices: { developersSubmitFeedback: false },
  },
  {
    id: "least-fields",
    description: "Details and writes show what is stated and no more.",
    choices: { detail: "stated", writes: "least" },
  },
  { id: "more-fields", description: "Details hold fields of their own.", choices: { detail: "extended" } },
  {
    id: "search-by-substring",
    description: "A search looks for a part of the text, and is perPage cut to the maximum.",
    choices: { search: "substring", perPageAbove: "clamp" },
  },
  { id: "search-follows", description: "A search finds a project after 500 ms.", choices: { searchDelay: 500 } },
  { id: "no-headers-without-key", description: "A 401 carries no allowance.", choices: { headersWithoutKey: false } },
  {
    id: "feedback-on-any-project",
    description: "Feedback is accepted on projects in any status.",
    choices: { feedbackOn: "any", projectStart: "draft" },
    declares: { project: { patch: { status: "active" } } },
  },
  {
    id: "pro-plan",
    description: "Both accounts have the Pro plan, as is declared.",
    choices: { allowances: { developer: 1_000, tester: 1_000, spare: 100 } },
    declares: { plans: { developer: "pro", tester: "pro" } },
  },
  {
    id: "list-to-the-second",
    description: "Lists tell times to the second, details to the millisecond.",
    choices: { listTime: "seconds" },
  },
  { id: "approved-at-once", description: "Submitted feedback is approved at once.", choices: { settlesAfter: 20 } },
  { id: "slow", description: "Every response takes 20 ms.", choices: { delay: 20 } },
];
