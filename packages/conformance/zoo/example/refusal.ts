/** Thrown by a handler; becomes a response without success. */
export class Refusal extends Error {
  readonly kind: "invalid" | "forbidden" | "notFound" | "gone" | "conflict";

  constructor(kind: Refusal["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}
