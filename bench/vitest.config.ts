import { defineConfig } from "vitest/config";

export default defineConfig({
  // A real database and several servers, on two shared cores.
  test: { include: ["test/**/*.test.ts"], testTimeout: 30_000, hookTimeout: 60_000, maxWorkers: 1 },
});
