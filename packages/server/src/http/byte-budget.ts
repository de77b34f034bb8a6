/** Bytes that may be held at once. */
export class ByteBudget {
  #free: number;

  constructor(bytes: number) {
    this.#free = bytes;
  }

  /** Takes bytes from the budget. @returns false when there are not as many, and takes none then */
  reserve(bytes: number): boolean {
    if (bytes > this.#free) return false;
    this.#free -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.#free += bytes;
  }
}
