// The last step of a release: makes the current contract the released one, which no later contract may break.
import { copyFileSync } from "node:fs";

copyFileSync(new URL("./openapi.yaml", import.meta.url), new URL("./released/v1.yaml", import.meta.url));
