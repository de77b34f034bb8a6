import type { FeedbackDocument, KeyDocument, ProjectDocument } from "@project-feedback/server/store/database";
import { type Collection, MongoClient } from "mongodb";

/** Requests of an account in its window. */
export interface HitsDocument {
  /** Account id. */
  readonly _id: string;
  readonly hits: number;
  readonly endsAt: Date;
}

/** The collections that peers use: our layout, and a counter of their own. */
export interface PeerDatabase {
  readonly client: MongoClient;
  readonly projects: Collection<ProjectDocument>;
  readonly feedback: Collection<FeedbackDocument>;
  readonly keys: Collection<KeyDocument>;
  readonly hits: Collection<HitsDocument>;
}

/** Connects with the driver's defaults (a pool of 100; writes that a majority acknowledges) to the URI's database. */
export async function openDatabase(uri: string): Promise<PeerDatabase> {
  const client = await new MongoClient(uri).connect();
  const db = client.db();
  const hits = db.collection<HitsDocument>("hits");
  await hits.createIndex({ endsAt: 1 }, { expireAfterSeconds: 60 });
  return {
    client,
    projects: db.collection("projects"),
    feedback: db.collection("feedback"),
    keys: db.collection("keys"),
    hits,
  };
}
