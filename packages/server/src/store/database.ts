import { type Binary, type Collection, type Db, MongoClient, type ObjectId } from "mongodb";
import { ConnectionString } from "mongodb-connection-string-url";
import { databaseSilenceMs } from "../deadline.ts";
import type { Account } from "../domain/account.ts";
import type { Feedback, FeedbackStatus } from "../domain/feedback.ts";
import type { KeyRecord } from "../domain/key.ts";
import type { Passkey } from "../domain/passkey.ts";
import type { Audience, Project } from "../domain/project.ts";
import type { Session } from "../domain/session.ts";
import { PoolStatistics } from "./pool-statistics.ts";

export type Stored<Entity extends { readonly id: string }> = Omit<Entity, "id"> & { readonly _id: string };

/** A project with the fields of its indexes: who sees it, and its words. */
export interface ProjectDocument extends Omit<Stored<Project>, "wasActive"> {
  /** Missing in a project that a server before 1.1 wrote. */
  readonly wasActive?: boolean;
  readonly audience: Audience;
  readonly words: readonly string[];
  /** The last batches of views that are counted in it; see view-counter.ts. */
  readonly viewBatches?: readonly ObjectId[];
  /** The title as lists are ordered by it. */
  readonly titleKey: string;
}

/** Feedback with the field of its indexes: its status, and of a draft also its author. */
export interface FeedbackDocument extends Stored<Feedback> {
  readonly bucket: string;
}

/** Numbers of projects of an audience: one of several shards that are added up, so that writers rarely conflict. */
export interface ProjectTallyDocument {
  /** `<audience>/<shard>` */
  readonly _id: string;
  readonly audience: Audience;
  /** `<status>:<category>` → number; may be negative in one shard, never in the sum. */
  readonly cells: Readonly<Record<string, number>>;
}

/** Number of one tester's feedback on one project, by status. */
export interface TesterTallyDocument extends Readonly<Record<FeedbackStatus, number>> {
  /** `<projectId>/<testerId>` */
  readonly _id: string;
  readonly projectId: string;
}

/** That an account marked feedback as helpful. */
export interface MarkDocument {
  /** `<feedbackId>/<accountId>` */
  readonly _id: string;
  readonly feedbackId: string;
  readonly projectId: string;
}

/** A deleted project whose feedback, marks and tallies are still to be removed; see deletion-sweeper.ts. */
export interface DeletionDocument {
  /** Id of the project. */
  readonly _id: string;
  /** Until when a process sweeps it, by the database's clock. */
  readonly claimedUntil: Date;
}

/** Fields of a key that servers before 1.1 did not write. */
type LaterKeyField = "ending" | "expiresAt" | "lastUsedFrom" | "replacedBy";

export type KeyDocument = Omit<Stored<KeyRecord>, LaterKeyField> &
  Partial<Pick<KeyRecord, LaterKeyField>> & { readonly digest: string };

/** An account. Creating keys changes its `keysChanged`, so that two creations at the same time conflict (C-KEY-3). */
export type AccountDocument = Stored<Account> & { readonly keysChanged?: number };

/** A session, by the digest of its cookie. */
export type SessionDocument = Session & { readonly _id: string };

/** Something that can be used once, by the digest of its secret; see one-time-tokens.ts. */
export interface OneTimeTokenDocument {
  readonly _id: string;
  readonly kind: string;
  readonly expiresAt: Date;
  readonly content: object;
}

export interface PasskeyDocument extends Omit<Stored<Passkey>, "publicKey"> {
  readonly publicKey: Binary;
}

/** Who a provider of OpenID Connect says somebody is. */
export interface IdentityDocument {
  /** Digest of issuer and subject. */
  readonly _id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly accountId: string;
  readonly createdAt: Date;
}

/** What one process has counted of an account's requests on one day; see usage-counter.ts. */
export interface UsageDocument {
  /** `<accountId>/<day>/<process>` */
  readonly _id: string;
  readonly accountId: string;
  readonly day: Date;
  /** Hour of the day, in UTC → requests, those with 429, those with another error. */
  readonly hours: Readonly<Record<string, readonly [number, number, number]>>;
}

/** What an allowance has granted in its window, and to which processes; see the folder allowances. */
export interface AllowanceDocument {
  /** Account id, or `ip:` and a client address. */
  readonly _id: string;
  readonly endsAt: Date;
  readonly granted: number;
  /** Process → requests granted to it that it may not have spent. */
  readonly holders: Readonly<Record<string, number>>;
  readonly last: string;
  readonly recalled: boolean;
}

/** A process that may hold leases of allowances. */
export interface HolderDocument {
  readonly _id: string;
  /** Its last heartbeat, by the database's clock. */
  readonly seenAt: Date;
}

/** The first response to a write with an `Idempotency-Key` (C-IDEM-1). */
export interface StoredResponseDocument {
  /** Digest of account, method, path and key. */
  readonly _id: string;
  readonly bodyDigest: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The response body, as text. */
  readonly body: string;
  readonly createdAt: Date;
}

/** The database: its client and its collections. */
export interface Database {
  readonly client: MongoClient;
  readonly pool: PoolStatistics;
  readonly db: Db;
  readonly projects: Collection<ProjectDocument>;
  readonly projectTallies: Collection<ProjectTallyDocument>;
  readonly feedback: Collection<FeedbackDocument>;
  readonly testerTallies: Collection<TesterTallyDocument>;
  readonly marks: Collection<MarkDocument>;
  readonly deletions: Collection<DeletionDocument>;
  readonly accounts: Collection<AccountDocument>;
  readonly keys: Collection<KeyDocument>;
  readonly allowances: Collection<AllowanceDocument>;
  readonly holders: Collection<HolderDocument>;
  readonly answers: Collection<StoredResponseDocument>;
  readonly sessions: Collection<SessionDocument>;
  readonly oneTimeTokens: Collection<OneTimeTokenDocument>;
  readonly passkeys: Collection<PasskeyDocument>;
  readonly identities: Collection<IdentityDocument>;
  readonly usage: Collection<UsageDocument>;
}

/**
 * Connects to a replica set or sharded cluster. The database's name is the URI's, else `project_feedback`.
 * @param patient for maintenance, where one command may take minutes
 * @param monitorCommands whether the client emits an event for each command
 * @throws MongoServerSelectionError after 3 s without a server
 */
export async function connect(uri: string, { patient = false, monitorCommands = false } = {}): Promise<Database> {
  const client = new MongoClient(uri, {
    appName: "project-feedback",
    // A failover loses nothing that was acknowledged to a caller.
    writeConcern: { w: "majority" },
    retryWrites: true,
    retryReads: true,
    // Reads work while a primary is being elected.
    readPreference: "primaryPreferred",
    serverSelectionTimeoutMS: 3_000,
    connectTimeoutMS: 3_000,
    waitQueueTimeoutMS: 3_000,
    // The driver's timeoutMS does nothing as of 7.8; only a silent socket shows that a server hangs.
    socketTimeoutMS: patient ? 0 : databaseSilenceMs,
    maxPoolSize: 64,
    monitorCommands,
  });
  const pool = new PoolStatistics(client);
  await client.connect();
  const named = new ConnectionString(uri).pathname.slice(1);
  const db = client.db(named || "project_feedback");
  return {
    client,
    pool,
    db,
    projects: db.collection("projects"),
    projectTallies: db.collection("projectTallies"),
    feedback: db.collection("feedback"),
    testerTallies: db.collection("testerTallies"),
    marks: db.collection("marks"),
    deletions: db.collection("deletions"),
    accounts: db.collection("accounts"),
    keys: db.collection("keys"),
    allowances: db.collection("allowances"),
    holders: db.collection("holders"),
    answers: db.collection("answers"),
    sessions: db.collection("sessions"),
    oneTimeTokens: db.collection("oneTimeTokens"),
    passkeys: db.collection("passkeys"),
    identities: db.collection("identities"),
    usage: db.collection("usage"),
  };
}
