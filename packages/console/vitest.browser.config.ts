import { defineConfig } from "vitest/config";

// Needs Chromium: at the path in CHROMIUM, or else on the PATH.
export default defineConfig({
  test: {
    include: ["test/browser/*.test.ts"],
    globalSetup: ["test/harness/server.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
