/** A package that is published. */
export interface PublishedPackage {
  readonly name: string;
  /** Its folder in the repository. */
  readonly folder: string;
  /** Whether programs import it: then its types are checked. The server is a program. */
  readonly isImported: boolean;
  /** Bounds of the tarball and of its content, in bytes. They leave a tenth of room, so that growth is noticed. */
  readonly limits: { readonly packed: number; readonly unpacked: number };
}

export const packages: readonly PublishedPackage[] = [
  {
    name: "@project-feedback/server",
    folder: "packages/server",
    isImported: false,
    limits: { packed: 6_000_000, unpacked: 15_000_000 },
  },
  {
    name: "@project-feedback/client",
    folder: "packages/client",
    isImported: true,
    limits: { packed: 165_000, unpacked: 800_000 },
  },
  {
    name: "@project-feedback/conformance",
    folder: "packages/conformance",
    isImported: true,
    limits: { packed: 250_000, unpacked: 1_200_000 },
  },
];
