/** Reads that end when the test says so. */
export function manualReads() {
  const under: { keys: readonly string[]; end(value: string): void; fail(error: Error): void }[] = [];
  const read = (keys: readonly string[]) =>
    new Promise<ReadonlyMap<string, string>>((resolve, reject) =>
      under.push({
        keys,
        end: (value) => resolve(new Map(keys.map((key) => [key, `${key} ${value}`]))),
        fail: reject,
      }),
    );
  return { under, read };
}
