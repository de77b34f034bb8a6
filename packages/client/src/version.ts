/** The version in package.json, which a test compares. */
export const VERSION = "1.1.0";
