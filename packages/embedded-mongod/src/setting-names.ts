/** How error messages name the settings of the program that uses this package, such as its environment variables. */
export interface SettingNames {
  /** The setting for the data directory. Default: "the data directory". */
  readonly dataDir?: string;
  /** The setting for the URI of another database. Without it, messages do not suggest another database. */
  readonly uri?: string;
}
