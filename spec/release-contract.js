// Makes the contract of now the last released one, which no later contract may break: the last step of a release.
import { copyFileSync } from "node:fs";

copyFileSync(new URL("./openapi.yaml", import.meta.url), new URL("./released/v1.yaml", import.meta.url));
