declare module "virtual:reference-documents" {
  /** JSON of the documents, as Scalar's `sources`. In it, `{origin}` stands for the server. */
  const documents: string;
  export default documents;
}

declare module "virtual:scalar" {
  /** What is used of Scalar's build for browsers, which has no types of its own. */
  export function createApiReference(
    place: string,
    configuration: Readonly<Record<string, unknown>>,
  ): { updateConfiguration(configuration: Readonly<Record<string, unknown>>): void };
}
