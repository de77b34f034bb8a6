export interface FetchOptions {
  env: NodeJS.ProcessEnv;
  /** Called with lines for people: what was skipped, what is tried, how far a download is. */
  report(line: string): void;
}

/** A place on the network that has a mongod. */
export interface BinarySource {
  /** For people, such as "mongod 7.0.40 from the MongoDB download site". */
  readonly label: string;
  /** File name in the cache. It contains the version, so that a new version is a new file. */
  readonly file: string;
  /**
   * Fetches mongod. Creates files only in `folder`.
   * @returns the path of the binary
   * @throws Error with the reason in one line
   */
  fetch(folder: string, options: FetchOptions): Promise<string>;
}
