import type { IndexDescription } from "mongodb";
import type { Database } from "./database.ts";

const newest = { createdAt: -1, _id: -1 } as const;
const filters = { status: 1, category: 1 } as const;
const day = 86_400;

/** All indexes. Each list query is served in its order by one of them, as test/store/plans.test.ts shows. */
export const indexes = {
  projects: [
    { key: { audience: 1, ...newest } },
    { key: { audience: 1, status: 1, ...newest } },
    { key: { audience: 1, category: 1, ...newest } },
    { key: { audience: 1, status: 1, category: 1, ...newest } },
    { key: { audience: 1, words: 1 } },
    // Lists in the other orders, and of one owner. Status and category come last: they are compared without a document.
    { key: { audience: 1, updatedAt: -1, ...newest, ...filters } },
    { key: { audience: 1, titleKey: -1, ...newest, ...filters } },
    { key: { ownerId: 1, ...newest, ...filters } },
    { key: { ownerId: 1, updatedAt: -1, ...newest, ...filters } },
    { key: { ownerId: 1, titleKey: -1, ...newest, ...filters } },
  ],
  projectTallies: [{ key: { audience: 1 } }],
  feedback: [
    { key: { projectId: 1, bucket: 1, ...newest } },
    { key: { projectId: 1, bucket: 1, overallRating: -1, ...newest } },
    { key: { projectId: 1, bucket: 1, helpfulCount: -1, ...newest } },
    { key: { projectId: 1, testerId: 1, bucket: 1, ...newest } },
    { key: { projectId: 1, testerId: 1, bucket: 1, overallRating: -1, ...newest } },
    { key: { projectId: 1, testerId: 1, bucket: 1, helpfulCount: -1, ...newest } },
    { key: { projectId: 1, bucket: 1, updatedAt: -1, ...newest } },
    { key: { projectId: 1, testerId: 1, bucket: 1, updatedAt: -1, ...newest } },
    { key: { testerId: 1, bucket: 1, ...newest } },
    { key: { testerId: 1, bucket: 1, updatedAt: -1, ...newest } },
  ],
  testerTallies: [{ key: { projectId: 1 } }],
  marks: [{ key: { projectId: 1 } }, { key: { feedbackId: 1 } }],
  deletions: [{ key: { claimedUntil: 1 } }],
  accounts: [{ key: { createdAt: 1 } }],
  keys: [{ key: { digest: 1 }, unique: true }, { key: { accountId: 1 } }],
  allowances: [
    // Windows that have ended are removed.
    { key: { endsAt: 1 }, expireAfterSeconds: 60 },
    { key: { recalled: 1 }, partialFilterExpression: { recalled: true } },
  ],
  holders: [{ key: { seenAt: 1 }, expireAfterSeconds: 60 }],
  answers: [{ key: { createdAt: 1 }, expireAfterSeconds: day }],
  sessions: [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }, { key: { accountId: 1, id: 1 } }],
  oneTimeTokens: [{ key: { expiresAt: 1 }, expireAfterSeconds: 0 }],
  passkeys: [{ key: { credentialId: 1 }, unique: true }, { key: { accountId: 1 } }],
  // A day is kept until its last hour is 31 days old (C-ACC-4).
  usage: [{ key: { day: 1 }, expireAfterSeconds: 32 * day }, { key: { accountId: 1, day: 1 } }],
} as const satisfies Partial<Record<keyof Database, readonly IndexDescription[]>>;

/** Creates the indexes that are missing. On a large collection this takes minutes: use a `patient` connection. */
export async function makeIndexes(database: Database): Promise<void> {
  for (const [name, descriptions] of Object.entries(indexes)) {
    await database.db.collection(name).createIndexes(structuredClone(descriptions) as unknown as IndexDescription[]);
  }
}
