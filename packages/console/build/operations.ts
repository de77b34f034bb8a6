import type { Document, Operation } from "@project-feedback/spec/document";

/** An interface in the reference. */
export interface ReferenceSource {
  /** Its part in the addresses of the reference. */
  readonly slug: string;
  readonly title: string;
  /** The path that its operations begin with. */
  readonly base: string;
  readonly document: Document;
}

/** An operation of an interface, as the pages name it. */
export interface NamedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  /** Ids of the clauses that it keeps. */
  readonly clauses: readonly string[];
  /** Address in the reference. */
  readonly address: string;
}

/** The operations of an interface. */
export function operationsOf({ slug, document }: ReferenceSource): NamedOperation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path,
      operation,
      clauses: (operation["x-clauses"] as string[] | undefined) ?? [],
      // The ids that Scalar gives to its elements.
      address: `/docs#${slug}/tag/${operation.tags?.[0]?.toLowerCase()}/${method.toUpperCase()}${path}`,
    })),
  );
}
