export interface FetchSurroundings {
  env: NodeJS.ProcessEnv;
  report(line: string): void;
}

/** A place on the network from which a mongod can be fetched. */
export interface BinarySource {
  /** What a person is told, such as "mongod 7.0.40 from the MongoDB download site". */
  readonly label: string;
  /** The file's name in the cache, with the version, so that a new pin is a new file. */
  readonly file: string;
  /**
   * Fetches a mongod; makes files in `into` only.
   * @returns the path of the binary
   * @throws Error with the reason in one line
   */
  fetch(into: string, surroundings: FetchSurroundings): Promise<string>;
}
