// What other packages use of the server.
export { createAccount } from "./cli/create-account.ts";
export { createKey } from "./cli/create-key.ts";
export { listen } from "./cli/listen.ts";
export { type Config, readConfig } from "./config.ts";
export { Deadline, requestTimeoutMs } from "./deadline.ts";
export { createExecute, type Execute } from "./execute.ts";
export { createService, newId, type Service, type ServiceOptions } from "./service.ts";
