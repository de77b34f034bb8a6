/** A running mongod that this process may use until it calls `stop`. */
export interface EmbeddedDatabase {
  /** Connection string for any process of this user on this machine. Transactions and retryable writes work. */
  readonly uri: string;
  /** Shuts mongod down if this process started it. Further calls wait for the first. */
  stop(): Promise<void>;
}
