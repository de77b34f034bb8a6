/** A `read` function whose reads end when the test says so. */
export function manualReads() {
  const reads: { keys: readonly string[]; resolve(value: string): void; reject(error: Error): void }[] = [];
  const read = (keys: readonly string[]) =>
    new Promise<ReadonlyMap<string, string>>((resolve, reject) =>
      reads.push({ keys, resolve: (value) => resolve(new Map(keys.map((key) => [key, `${key} ${value}`]))), reject }),
    );
  return { reads, read };
}
