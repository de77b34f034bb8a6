import { defineConfig } from "tsdown";

// The bundle contains the types of the contract and of openapi-fetch, so that they need no other package. A page can
// import the single file. The license of openapi-fetch is in THIRD_PARTY_NOTICES.
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
