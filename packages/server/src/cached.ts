/** Calls `load` at most once in so many milliseconds; callers in between share its result, also while it runs. */
export function cached<Value>(ttlMs: number, load: () => Promise<Value>): () => Promise<Value> {
  let current: Promise<Value> | undefined;
  return () => {
    if (!current) {
      const loading = load();
      current = loading;
      const forget = () => {
        if (current === loading) current = undefined;
      };
      loading.then(() => setTimeout(forget, ttlMs).unref(), forget);
    }
    return current;
  };
}
