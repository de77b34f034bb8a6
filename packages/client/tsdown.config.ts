import { defineConfig } from "tsdown";

// openapi-fetch and the contract's types go into the bundle: one file that a page can import as it is, and types that
// need no other package. Its license is in THIRD_PARTY_NOTICES.
export default defineConfig({
  entry: "src/index.ts",
  format: ["esm", "cjs"],
  platform: "neutral",
  target: "es2022",
  tsconfig: "src/tsconfig.json",
  dts: true,
  deps: { alwaysBundle: [/openapi/, /@project-feedback\/spec/], onlyBundle: false },
});
