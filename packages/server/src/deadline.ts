/** How long a request waits for the database in all, in milliseconds. The caller is answered within 5 s (C-ERR-2). */
export const requestTimeoutMs = 4_500;
/** How long a connection to the database may be silent, in milliseconds. Callers are told of it before their deadline. */
export const databaseSilenceMs = requestTimeoutMs - 500;

/** Work that was not done before its deadline. What becomes of it is unknown. */
export class DeadlineExceededError extends Error {
  override readonly name = "DeadlineExceededError";
}

/** The time by which a request must be answered. It is made once a request, and handed down to the store. */
export class Deadline {
  #at: number;

  /** @param milliseconds from now */
  constructor(milliseconds: number) {
    this.#at = performance.now() + milliseconds;
  }

  /** Milliseconds that are left; 0 when it has passed. */
  get remainingMs(): number {
    return Math.max(0, this.#at - performance.now());
  }

  get hasPassed(): boolean {
    return performance.now() > this.#at;
  }

  /** Moves the deadline, by time that was not the service's own. */
  extend(milliseconds: number): void {
    this.#at += milliseconds;
  }

  /**
   * Waits for work until the deadline. The work itself goes on.
   * @throws DeadlineExceededError when it takes longer
   */
  race<Value>(work: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const late = () => reject(new DeadlineExceededError("The deadline has passed."));
      const timer = setTimeout(late, this.remainingMs);
      work.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }
}
