import { defineConfig } from "vitest/config";

// Installs Deno, Bun and workerd from npm on its first run.
export default defineConfig({
  test: {
    include: ["test/runtimes/*.test.ts"],
    globalSetup: ["test/harness/server.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
