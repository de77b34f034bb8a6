import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { OidcSettings } from "../../src/account/oidc-client.ts";
import { freePort, until } from "./processes.ts";

const program = fileURLToPath(new URL("./oidc-program.ts", import.meta.url));

/** A provider of OpenID Connect in its own process. */
export interface OidcProvider {
  readonly settings: OidcSettings;
  /**
   * Goes to the provider as a browser does, and says yes to everything there.
   * @param url where the service sends the browser
   * @param name whom to sign in as
   * @returns path and query to which the provider sends the browser back
   */
  visit(url: string, name: string): Promise<string>;
  stop(): Promise<void>;
}

/** @param origins of the services that may use it */
export async function startOidcProvider(...origins: string[]): Promise<OidcProvider> {
  const port = await freePort();
  const settings = { issuer: `http://localhost:${port}`, clientId: "feedback", clientSecret: "correct-horse" };
  const callbacks = origins.map((origin) => `${origin}/account/v1/sign-in/oidc/callback`);
  const args = [program, String(port), settings.clientId, settings.clientSecret, ...callbacks];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  await until(() => output.includes("listening"), "the provider did not start", 30_000);
  return {
    settings: { ...settings, signUp: true },
    visit: (url, name) => visit(url, name, callbacks),
    async stop() {
      process.off("exit", kill);
      const exited = once(child, "exit");
      kill();
      await exited;
    },
  };
}

async function visit(start: string, name: string, callbacks: readonly string[]): Promise<string> {
  const cookies = new Map<string, string>();
  const send = async (url: string, body?: URLSearchParams) => {
    const headers = { Cookie: [...cookies].map((pair) => pair.join("=")).join("; ") };
    const response = await fetch(url, { redirect: "manual", headers, ...(body && { method: "POST", body }) });
    for (const cookie of response.headers.getSetCookie()) {
      const [, key = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      cookies.set(key, value);
    }
    const location = response.headers.get("Location");
    return { text: await response.text(), next: location && new URL(location, url).href };
  };
  let url = start;
  for (let step = 0; step < 12; step += 1) {
    if (callbacks.some((callback) => url.startsWith(callback))) return url.slice(new URL(url).origin.length);
    const { text, next } = await send(url);
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    if (!next && !prompt) throw new Error(`the provider has no next step: ${text}`);
    url =
      next ?? (await send(url, new URLSearchParams({ prompt: prompt ?? "", login: name, password: "any" }))).next ?? "";
  }
  throw new Error("the provider goes in circles");
}
