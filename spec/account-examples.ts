import type { DocumentExamples } from "./examples.ts";
import { serviceExamples } from "./service-examples.ts";

const session = "pfc_9sVb3Xh1cQ2mT7yK0aZr5eW8uN4dG6fJxLpRqBvCtHw";
const { headers, errors } = serviceExamples;

/** Examples for the contract of the account's own interface. */
export const accountExamples: DocumentExamples = {
  parameters: {
    hours: 24,
    code: "SplxlOBeZQQYbYS6WxSbIA",
    state: "af0ifjsldkj",
    error: "access_denied",
  },
  headers: {
    ...headers,
    "X-RateLimit-Limit": 5_000,
    "X-RateLimit-Remaining": 4_999,
    RateLimit: '"hour";r=4999;t=3540',
    "RateLimit-Policy": '"hour";q=5000;w=3600',
    "Set-Cookie": `__Host-project_feedback_session=${session}; Path=/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict`,
    Location: "https://feedback.example.com/settings",
    "WWW-Authenticate": "Cookie",
    "Accept-Patch": "application/json",
  },
  errors: {
    ...errors,
    BadRequest: {
      message: "The body /name is required.",
      code: "invalid_request",
      details: [{ in: "body", at: "/name", message: "is required" }],
    },
    Unauthorized: {
      message: "You are not signed in, or your session has ended. Sign in again.",
      code: "not_signed_in",
    },
    Forbidden: {
      message: "The link was used, is older than an hour, or is incomplete. Get a new one.",
      code: "link_invalid",
    },
    NotFound: { message: "There is no such key. List your keys and check its id.", code: "key_not_found" },
    Conflict: {
      message: "The account has 20 live keys, the most it may have. Revoke one that is no longer needed.",
      code: "key_limit",
    },
    TooManyRequests: {
      message: "The allowance of 100 requests an hour is used up. Try again in 60 seconds.",
      code: "rate_limited",
    },
  },
  properties: {
    "Key.replacedBy": "key_6920a1b2c3d4e5f60123456e",
    "Key.revokedAt": "2026-02-01T10:00:00.000Z",
    "NewKey.replacedBy": "key_6920a1b2c3d4e5f60123456e",
    "NewKey.revokedAt": "2026-02-01T10:00:00.000Z",
    "NewKey.lastUsedAt": "2026-02-01T09:30:00.000Z",
    "NewKey.lastUsedFrom": "203.0.113.0/24",
  },
  locations: {},
};
