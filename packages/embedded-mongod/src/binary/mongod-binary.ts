/** A mongod that was run successfully. */
export interface MongodBinary {
  readonly path: string;
  /** Where it is from, for people: "MONGOD_BINARY", "PATH", or a download. */
  readonly source: string;
  /** Such as "6.0.5". */
  readonly version: string;
}
