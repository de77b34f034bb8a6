import { defineConfig } from "vitest/config";

// Needs a Chromium: CHROMIUM says where, else it is looked for on the PATH.
export default defineConfig({
  test: {
    include: ["test/browser/*.test.ts"],
    globalSetup: ["test/harness/server.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
