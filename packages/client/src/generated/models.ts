// Generated from the contract by `pnpm generate`. Do not edit.

/** What an account may request in the current window. */
export interface Allowance {
  /** Requests allowed in the window of one hour. */
  limit: number;
  /** Requests left in the window. */
  remaining: number;
  /** When the window ends, in seconds of Unix time. */
  reset: number;
}

/** A bug. */
export interface Bug {
  /** Id, assigned by the service. */
  id: string;
  /** Description of the bug, 1 to 5,000 characters. */
  description: string;
  /** Severity of the bug. */
  severity: Severity;
  /** URL of a screenshot; null if there is none. */
  screenshot: string | null;
  /** Steps to reproduce the bug, up to 5,000 characters; null if there are none. */
  stepsToReproduce: string | null;
}

/** A bug, in a request. */
export interface BugInput {
  /** Description of the bug, 1 to 5,000 characters. */
  description: string;
  /** Severity of the bug. */
  severity: Severity;
  /** URL of a screenshot; null means absent. */
  screenshot?: string | null | undefined;
  /** Steps to reproduce the bug, up to 5,000 characters; null means absent. */
  stepsToReproduce?: string | null | undefined;
}

/** A bug, in a request that changes a draft. */
export interface BugPatch {
  /** Id of the bug in the draft; each id at most once, and an unknown id is a 400. A bug without an id is new. */
  id?: string | undefined;
  /** Description of the bug, 1 to 5,000 characters. */
  description: string;
  /** Severity of the bug. */
  severity: Severity;
  /** URL of a screenshot; null means absent. */
  screenshot?: string | null | undefined;
  /** Steps to reproduce the bug, up to 5,000 characters; null means absent. */
  stepsToReproduce?: string | null | undefined;
}

/** The platform of a project. */
export type Category = "web" | "mobile" | "desktop" | "other";

/** Confirms a deletion. */
export interface Deletion {
  /** Always true; a deletion that fails is an error response. */
  success: boolean;
  /** What was deleted, as a sentence. */
  message: string;
}

/** The reply of the project's owner. */
export interface DeveloperResponse {
  /** The message, 1 to 5,000 characters. */
  message: string;
  /** Ids of the resolved bugs, up to 50, without duplicates; empty if there are none. */
  resolvedItems: string[];
  /** Time of the reply. */
  createdAt: string;
}

/** What an error is about, for programs. New values may be added. */
export type ErrorCode = "invalid_request" | "role_required" | "not_owner" | "not_author" | "path_not_found" | "project_not_found" | "feedback_not_found" | "method_not_allowed" | "not_draft" | "is_draft" | "not_submitted" | "project_not_active" | "invalid_transition" | "idempotency_key_in_use" | "not_current" | "content_too_large" | "unsupported_media_type" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable";

/** One fault of a request. */
export interface Fault {
  /** The part of the request with the fault. */
  in: "path" | "query" | "header" | "body";
  /** Where in that part: the name of a parameter, or a JSON pointer into the body (RFC 6901), empty for the whole body. */
  at: string;
  /** What is wrong there, and what is expected. */
  message: string;
}

/** Feedback in full. */
export interface Feedback {
  /** Id, assigned by the service. */
  id: string;
  /** Id of the project. */
  projectId: string;
  /** Id of the author's account. */
  testerId: string;
  /** Overall rating, 1 to 5. */
  overallRating: number;
  /** Feedback on the user interface; null if there is none. */
  uiFeedback: UiFeedback | null;
  /** Feedback on the user experience; null if there is none. */
  uxFeedback: UxFeedback | null;
  /** Bugs, up to 50; empty if there are none. */
  bugs: Bug[];
  /** General comments, up to 5,000 characters; null if there are none. */
  generalComments: string | null;
  /** Status of the feedback. */
  status: FeedbackStatus;
  /** Number of developer accounts that marked the feedback as helpful. */
  helpfulCount: number;
  /** The reply of the project's owner; null if there is none. */
  developerResponse: DeveloperResponse | null;
  /** Why the feedback was rejected; null if there is no reason. Only its author and the project's owner see it. */
  rejectionReason: string | null;
  /** Time of creation. */
  createdAt: string;
  /** Time of the last change, except of marks. */
  updatedAt: string;
}

/** New feedback. */
export interface FeedbackCreate {
  /** Overall rating, 1 to 5. */
  overallRating: number;
  /** Feedback on the user interface; null means absent. */
  uiFeedback?: UiFeedbackInput | null | undefined;
  /** Feedback on the user experience; null means absent. */
  uxFeedback?: UxFeedbackInput | null | undefined;
  /** Bugs, up to 50. */
  bugs?: BugInput[] | undefined;
  /** General comments, up to 5,000 characters; null means absent. */
  generalComments?: string | null | undefined;
  /** Whether the feedback is saved as a draft or submitted immediately. Default: "submitted". */
  status?: "draft" | "submitted" | undefined;
}

/** Feedback in a list. */
export interface FeedbackItem {
  /** Id, assigned by the service. */
  id: string;
  /** Id of the project. */
  projectId: string;
  /** Id of the author's account. */
  testerId: string;
  /** Overall rating, 1 to 5. */
  overallRating: number;
  /** Status of the feedback. */
  status: FeedbackStatus;
  /** Time of creation. */
  createdAt: string;
}

/** A page of feedback. */
export interface FeedbackPage {
  /** The feedback on this page. */
  data: FeedbackItem[];
  /** The position of the page among all matches. */
  pagination: Pagination;
}

/** Changes to a draft. Each field sent replaces the whole stored value; the other fields stay as they are. */
export interface FeedbackPatch {
  /** Overall rating, 1 to 5. */
  overallRating?: number | undefined;
  /** Feedback on the user interface; null removes it. */
  uiFeedback?: UiFeedbackInput | null | undefined;
  /** Feedback on the user experience; null removes it. */
  uxFeedback?: UxFeedbackInput | null | undefined;
  /** Bugs, up to 50. A bug sent with its id keeps that id. */
  bugs?: BugPatch[] | undefined;
  /** General comments, up to 5,000 characters; null removes them. */
  generalComments?: string | null | undefined;
  /** Submits the draft. */
  status?: "submitted" | undefined;
}

/** Filters, order and paging of a list of feedback records. */
export interface FeedbackQuery {
  /** Number of the page, from 1 to 9,007,199,254,740,991 (2^53 - 1). A page past the end is empty. Default: 1. */
  page?: number | undefined;
  /** Maximum number of items per page, 1 to 100. Default: 20. */
  perPage?: number | undefined;
  /**
   * A position in the list, from the `Link` header of one of its pages. Send it with the filters and the order of that
   * page, and without `page`. A walk by cursors neither repeats nor skips a record that does not change, and each of its
   * pages costs as much as the first.
   */
  cursor?: string | undefined;
  /** Direction of the order. Default: "desc". */
  order?: SortOrder | undefined;
  /**
   * Returns only records changed after this time. Such a list is sorted by `updated`, and its total costs one index key
   * for each match: send the time of your last request.
   */
  updatedAfter?: string | undefined;
  /** Returns only feedback with this status, or with one of several. */
  status?: FeedbackStatus | `${FeedbackStatus},${string}` | undefined;
  /** Returns only feedback of this author; `me` is the caller. An unknown id finds nothing. Up to 200 characters. */
  testerId?: string | undefined;
  /** The order. With updatedAfter, `date` means `updated`, and `rating` and `helpful` are a 400. Default: "date". */
  sort?: FeedbackSort | undefined;
}

/** The order of a feedback list, descending by default. Ties are ordered newest first, then by id. */
export type FeedbackSort = "date" | "rating" | "helpful" | "updated";

/** The status of feedback. Allowed transitions: draft to submitted; submitted to approved or rejected. */
export type FeedbackStatus = "draft" | "submitted" | "approved" | "rejected";

/** A type of feedback that a project requests. */
export type FeedbackType = "ui" | "ux" | "bugs" | "general";

/** Confirms a helpful mark. */
export interface HelpfulMark {
  /** Always true; a mark that fails is an error response. */
  success: boolean;
  /** Number of developer accounts that marked the feedback as helpful. */
  helpfulCount: number;
}

/** The caller's account. */
export interface Me {
  /** Id of the account: `testerId` of its feedback. */
  id: string;
  /** Role of the account. */
  role: Role;
  /** Plan of the account. */
  plan: Plan;
  /** Allowance of the account. */
  allowance: Allowance;
}

/** Filters, order and paging of a list of my feedback records. */
export interface MyFeedbackQuery {
  /** Number of the page, from 1 to 9,007,199,254,740,991 (2^53 - 1). A page past the end is empty. Default: 1. */
  page?: number | undefined;
  /** Maximum number of items per page, 1 to 100. Default: 20. */
  perPage?: number | undefined;
  /**
   * A position in the list, from the `Link` header of one of its pages. Send it with the filters and the order of that
   * page, and without `page`. A walk by cursors neither repeats nor skips a record that does not change, and each of its
   * pages costs as much as the first.
   */
  cursor?: string | undefined;
  /** Direction of the order. Default: "desc". */
  order?: SortOrder | undefined;
  /**
   * Returns only records changed after this time. Such a list is sorted by `updated`, and its total costs one index key
   * for each match: send the time of your last request.
   */
  updatedAfter?: string | undefined;
  /** Returns only feedback with this status, or with one of several. */
  status?: FeedbackStatus | `${FeedbackStatus},${string}` | undefined;
  /** The order. With updatedAfter, `date` means `updated`. Default: "date". */
  sort?: MyFeedbackSort | undefined;
}

/** The order of the caller's own feedback, descending by default. Ties are ordered newest first, then by id. */
export type MyFeedbackSort = "date" | "updated";

/** The position of a page among all matches. */
export interface Pagination {
  /** Number of this page, from 1. */
  page: number;
  /** Maximum number of items per page, 1 to 100. */
  perPage: number;
  /** Number of all matches, the same on every page. */
  total: number;
}

/** What an account pays for. */
export type Plan = "free" | "pro" | "team";

/** A project in full. */
export interface Project {
  /** Id, assigned by the service. */
  id: string;
  /** Title, 1 to 200 characters. */
  title: string;
  /** Description, 1 to 5,000 characters. */
  description: string;
  /** Platform of the project. */
  category: Category;
  /** Status of the project. */
  status: ProjectStatus;
  /** URLs of screenshots, up to 10; empty if there are none. */
  screenshots: string[];
  /** URL of the project; null if there is none. */
  projectUrl: string | null;
  /** Whether other accounts see the project after it is published. */
  isPublic: boolean;
  /** Testing requirements; null if there are none. */
  testingRequirements: TestingRequirements | null;
  /** Statistics. */
  stats: ProjectStats;
  /** Time of creation. */
  createdAt: string;
  /** Time of the owner's last change. */
  updatedAt: string;
}

/** A new project. */
export interface ProjectCreate {
  /** Title, 1 to 200 characters. */
  title: string;
  /** Description, 1 to 5,000 characters. */
  description: string;
  /** Platform of the project. */
  category: Category;
  /** URLs of screenshots, up to 10. */
  screenshots?: string[] | undefined;
  /** URL of the project; null means absent. */
  projectUrl?: string | null | undefined;
  /** Whether other accounts see the project after it is published. Default: true. */
  isPublic?: boolean | undefined;
  /** Testing requirements; null means absent. */
  testingRequirements?: TestingRequirementsInput | null | undefined;
  /** Whether the project starts as a draft or is published immediately. Default: "active". */
  status?: "draft" | "active" | undefined;
}

/** A project in a list. */
export interface ProjectItem {
  /** Id, assigned by the service. */
  id: string;
  /** Title, 1 to 200 characters. */
  title: string;
  /** Description, 1 to 5,000 characters. */
  description: string;
  /** Platform of the project. */
  category: Category;
  /** Status of the project. */
  status: ProjectStatus;
  /** Time of creation. */
  createdAt: string;
}

/** A page of projects. */
export interface ProjectPage {
  /** The projects on this page. */
  data: ProjectItem[];
  /** The position of the page among all matches. */
  pagination: Pagination;
}

/** Changes to a project. Each field sent replaces the whole stored value; the other fields stay as they are. */
export interface ProjectPatch {
  /** Title, 1 to 200 characters. */
  title?: string | undefined;
  /** Description, 1 to 5,000 characters. */
  description?: string | undefined;
  /** Platform of the project. */
  category?: Category | undefined;
  /** URLs of screenshots, up to 10. */
  screenshots?: string[] | undefined;
  /** URL of the project; null removes it. */
  projectUrl?: string | null | undefined;
  /** Whether other accounts see the project after it is published. */
  isPublic?: boolean | undefined;
  /** Testing requirements; null removes them. */
  testingRequirements?: TestingRequirementsInput | null | undefined;
  /** The new status. */
  status?: ProjectStatus | undefined;
}

/** Filters, order and paging of a list of project records. */
export interface ProjectQuery {
  /** Number of the page, from 1 to 9,007,199,254,740,991 (2^53 - 1). A page past the end is empty. Default: 1. */
  page?: number | undefined;
  /** Maximum number of items per page, 1 to 100. Default: 20. */
  perPage?: number | undefined;
  /**
   * A position in the list, from the `Link` header of one of its pages. Send it with the filters and the order of that
   * page, and without `page`. A walk by cursors neither repeats nor skips a record that does not change, and each of its
   * pages costs as much as the first.
   */
  cursor?: string | undefined;
  /** Direction of the order. Default: "desc". */
  order?: SortOrder | undefined;
  /**
   * Returns only records changed after this time. Such a list is sorted by `updated`, and its total costs one index key
   * for each match: send the time of your last request.
   */
  updatedAfter?: string | undefined;
  /** Returns only projects with this status, or with one of several. */
  status?: ProjectStatus | `${ProjectStatus},${string}` | undefined;
  /** Returns only the caller's own projects. */
  owner?: "me" | undefined;
  /** The order. With updatedAfter, `created` means `updated`, and `title` is a 400. Default: "created". */
  sort?: ProjectSort | undefined;
  /** Returns only projects of this category. */
  category?: Category | undefined;
  /**
   * Returns only projects in which every word of this text begins some word of the title or description. Case, accents
   * and marks are ignored. In text without spaces, as in Chinese, Japanese, Thai and Korean, a word inside is found
   * too. Signs inside a word belong to it: `email` finds e-mail, `2.0` finds v2.0.1, and `c++` is not c. 1 to 200
   * characters; a text without a letter or digit finds nothing.
   */
  search?: string | undefined;
}

/** The order of a project list. Ties are ordered newest first, then by id. */
export type ProjectSort = "created" | "updated" | "title";

/** Statistics of a project. */
export interface ProjectStats {
  /** Number of detail reads by accounts other than the owner; up to 1 s old. */
  views: number;
  /** Number of distinct authors of feedback that is not a draft. */
  testerRequests: number;
  /** Number of distinct authors of approved feedback. */
  approvedTesters: number;
  /** Number of feedback records that are not drafts. */
  feedbackCount: number;
}

/**
 * The status of a project. Allowed transitions: draft to active or archived; active to completed or archived;
 * completed to active or archived; archived to active.
 */
export type ProjectStatus = "draft" | "active" | "completed" | "archived";

/** A rejection, in a request. */
export interface Rejection {
  /** Why the feedback is rejected, 1 to 5,000 characters; null means absent. The author sees it. */
  reason?: string | null | undefined;
}

/** A reply to feedback, in a request. */
export interface Reply {
  /** The message, 1 to 5,000 characters. */
  message: string;
  /** Ids of the resolved bugs, up to 50. An id that is not of a bug of this feedback is a 400. Default: []. */
  resolvedItems?: string[] | undefined;
}

/** Confirms a reply. */
export interface ReplyReceipt {
  /** Always true; a reply that fails is an error response. */
  success: boolean;
  /** The stored reply. */
  developerResponse: DeveloperResponse;
}

/** What an account may do. */
export type Role = "developer" | "tester";

/** The severity of a bug. */
export type Severity = "low" | "medium" | "high" | "critical";

/** The direction of a list's order. */
export type SortOrder = "asc" | "desc";

/** The testing requirements of a project. */
export interface TestingRequirements {
  /** Minimum number of testers, 1 to 10,000; null if there is no minimum. */
  minTesters: number | null;
  /** Maximum number of testers, 1 to 10,000; null if there is no maximum. */
  maxTesters: number | null;
  /** Requested types of feedback, without duplicates; empty if there are none. */
  feedbackTypes: FeedbackType[];
}

/** The testing requirements of a project, in a request. */
export interface TestingRequirementsInput {
  /** Minimum number of testers, 1 to 10,000, at most maxTesters; null means no minimum. */
  minTesters?: number | null | undefined;
  /** Maximum number of testers, 1 to 10,000; null means no maximum. */
  maxTesters?: number | null | undefined;
  /** Requested types of feedback, without duplicates. */
  feedbackTypes?: FeedbackType[] | undefined;
}

/** Feedback on the user interface. */
export interface UiFeedback {
  /** Rating of the design, 1 to 5; null if there is none. */
  design: number | null;
  /** Comments on the colors, up to 5,000 characters; null if there are none. */
  colors: string | null;
  /** Comments on the typography, up to 5,000 characters; null if there are none. */
  typography: string | null;
  /** Comments on the layout, up to 5,000 characters; null if there are none. */
  layout: string | null;
}

/** Feedback on the user interface, in a request. Null means absent. */
export interface UiFeedbackInput {
  /** Rating of the design, 1 to 5. */
  design?: number | null | undefined;
  /** Comments on the colors, up to 5,000 characters. */
  colors?: string | null | undefined;
  /** Comments on the typography, up to 5,000 characters. */
  typography?: string | null | undefined;
  /** Comments on the layout, up to 5,000 characters. */
  layout?: string | null | undefined;
}

/** Feedback on the user experience. */
export interface UxFeedback {
  /** Rating of the navigation, 1 to 5; null if there is none. */
  navigation: number | null;
  /** Comments on the flow, up to 5,000 characters; null if there are none. */
  flow: string | null;
  /** Comments on the usability, up to 5,000 characters; null if there are none. */
  usability: string | null;
  /** Suggestions, up to 5,000 characters; null if there are none. */
  suggestions: string | null;
}

/** Feedback on the user experience, in a request. Null means absent. */
export interface UxFeedbackInput {
  /** Rating of the navigation, 1 to 5. */
  navigation?: number | null | undefined;
  /** Comments on the flow, up to 5,000 characters. */
  flow?: string | null | undefined;
  /** Comments on the usability, up to 5,000 characters. */
  usability?: string | null | undefined;
  /** Suggestions, up to 5,000 characters. */
  suggestions?: string | null | undefined;
}
