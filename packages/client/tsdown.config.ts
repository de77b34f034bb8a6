import { defineConfig } from "tsdown";

// The bundle contains openapi-fetch and the types of the contract: a page can import the single file, and the types need
// no other package. The license of openapi-fetch is in THIRD_PARTY_NOTICES.
export default defineConfig({
  entry: "src/index.ts",
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "es2022",
  tsconfig: "src/tsconfig.json",
  dts: true,
  sourcemap: true,
  deps: { alwaysBundle: [/openapi/, /@project-feedback\/spec/], onlyBundle: false },
});
