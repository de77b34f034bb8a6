import { isRecord } from "./assertions.ts";
import { chainOf, creates, idsInPath } from "./chain.ts";
import type { Exchange } from "./exchange.ts";
import type { Redactor } from "./redactor.ts";

/** Most requests of a check's own that a script repeats; beyond them it repeats the one that shows the failure. */
const mostRequests = 40;

/** Text in single quotes for a POSIX shell; `§NAME§` in it becomes the variable NAME. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`.replace(/§(\w+)§/g, `'"$$$1"'`).replace(/^''(?=")|(?<=")''$/g, "");
}

const captured = /"(id|testerId|projectId)" *: *("((?:[^"\\]|\\.)*)"|-?[0-9]+)/g;

/** Replaces ids that earlier responses gave by variables, so that the script works on records of its own. */
class Captures {
  readonly #variables = new Map<string, string>();
  /** Variables of the projects that the script creates. */
  readonly created: string[] = [];

  /** Shell lines that read the ids of a response which later requests use. */
  from(exchange: Exchange, later: ReadonlySet<string>): string[] {
    const counts = new Map<string, number>();
    return [...exchange.text.matchAll(captured)].flatMap(([, field = "", raw = "", inner]) => {
      const count = (counts.get(field) ?? 0) + 1;
      counts.set(field, count);
      const id = inner === undefined ? raw : String(JSON.parse(`"${inner}"`));
      const created = field === "id" && count === 1 && exchange.target === "/projects" && creates(exchange);
      if (this.#variables.has(id) || !(created || later.has(id))) return [];
      const variable = `ID_${this.#variables.size + 1}`;
      this.#variables.set(id, variable);
      if (created) this.created.push(variable);
      return [`${variable}=$(value ${field} ${count})`];
    });
  }

  /** The target with variables, percent-encoded by the script. */
  target(target: string): string {
    const [path = "", query] = target.split("?");
    const segments = path.split("/").map((segment) => this.#url(decodeURIComponent(segment)) ?? segment);
    if (query === undefined) return segments.join("/");
    const parameters = [...new URLSearchParams(query)].map(
      ([name, value]) => `${encodeURIComponent(name)}=${this.#url(value) ?? encodeURIComponent(value)}`,
    );
    return `${segments.join("/")}?${parameters.join("&")}`;
  }

  /** The body with variables; a captured id keeps the escapes of JSON. */
  body(text: string): string {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return text;
    }
    return JSON.stringify(this.#mapped(value));
  }

  #mapped(value: unknown): unknown {
    if (typeof value === "string") {
      const variable = this.#variables.get(value);
      return variable === undefined ? value : `§${variable}§`;
    }
    if (Array.isArray(value)) return value.map((item) => this.#mapped(item));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, this.#mapped(part)]));
  }

  #url(id: string): string | undefined {
    const variable = this.#variables.get(id);
    return variable === undefined ? undefined : `§URL_${variable}§`;
  }
}

/** Values in the requests that may be ids: path segments, query values and texts of bodies. */
function mentioned(exchanges: readonly Exchange[]): Set<string> {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === "string") found.add(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (isRecord(value)) Object.values(value).forEach(collect);
  };
  for (const exchange of exchanges) {
    for (const id of idsInPath(exchange)) found.add(id);
    for (const [, value] of new URLSearchParams(exchange.target.split("?")[1] ?? "")) found.add(value);
    if (exchange.requestBody === undefined) continue;
    try {
      collect(JSON.parse(exchange.requestBody));
    } catch {
      // A body that is not JSON names no id.
    }
  }
  return found;
}

const head = (baseUrl: string, keys: readonly string[], derived: readonly string[]) => `#!/bin/sh
# Set ${keys.map((key) => `$${key}`).join(", ") || "nothing"} to keys of your own; this file holds no key.
set -u
BASE_URL=\${BASE_URL:-${quoted(baseUrl)}}
${[...keys.map((key) => `: "\${${key}:?}"`), ...derived].join("\n")}
RESPONSE=$(mktemp)
trap 'rm -f "$RESPONSE"' EXIT
ask() { echo "> $1 $2"; M=$1; T=$2; shift 2; curl -sS -D - -o "$RESPONSE" -X "$M" "$@" "$BASE_URL$T"; cat "$RESPONSE"; echo; echo; }
value() { grep -oE "\\"$1\\" *: *(\\"([^\\"\\\\]|\\\\\\\\.)*\\"|-?[0-9]+)" "$RESPONSE" | sed -n "$2p" | sed 's/^[^:]*: *"\\{0,1\\}//; s/"$//'; }
${urlFunction}`;

/** Decodes the escapes of JSON and percent-encodes, in POSIX awk. */
const urlFunction = `url() { printf '%s\\n' "$1" | LC_ALL=C awk '
function byte(n) { printf "%%%02X", n }
function point(n) {
  if (n < 128) byte(n)
  else if (n < 2048) { byte(192 + int(n / 64)); byte(128 + n % 64) }
  else if (n < 65536) { byte(224 + int(n / 4096)); byte(128 + int(n / 64) % 64); byte(128 + n % 64) }
  else { byte(240 + int(n / 262144)); byte(128 + int(n / 4096) % 64); byte(128 + int(n / 64) % 64); byte(128 + n % 64) }
}
BEGIN { for (i = 1; i < 256; i++) code[sprintf("%c", i)] = i; hex = "0123456789abcdef" }
{
  for (i = 1; i <= length($0); i++) {
    c = substr($0, i, 1)
    if (c ~ /[A-Za-z0-9._~-]/) { printf "%s", c; continue }
    if (c != "\\\\") { byte(code[c]); continue }
    i++; c = substr($0, i, 1)
    if (c != "u") { byte(code[c]); continue }
    n = 0; for (j = 1; j <= 4; j++) n = n * 16 + index(hex, tolower(substr($0, i + j, 1))) - 1
    i += 4
    if (n >= 55296 && n < 56320) { high = n; continue }
    if (n >= 56320 && n < 57344) n = 65536 + (high - 55296) * 1024 + n - 56320
    point(n)
  }
}'; }
`;

/** A shell script with curl that shows a failure again, with keys as variables. */
export function scriptOf(
  baseUrl: string,
  shown: Exchange | undefined,
  own: readonly Exchange[],
  all: readonly Exchange[],
  redactor: Redactor,
): string {
  const chain = chosen(shown, own, all);
  const mark = (text: string) => redactor.redactAs(text, (variable) => `§${variable}§`);
  const captures = new Captures();
  const steps = chain.map((exchange, index) => {
    const later = mentioned(chain.slice(index + 1));
    const headers = Object.entries(exchange.requestHeaders)
      .filter(([name]) => name !== "user-agent" && name !== "accept")
      .map(([name, value]) => `-H ${quoted(mark(`${name}: ${value}`))}`);
    const { requestBody } = exchange;
    const body = requestBody === undefined ? [] : [`--data-binary ${quoted(mark(captures.body(requestBody)))}`];
    const target = quoted(mark(captures.target(exchange.target)));
    return [
      `# ${exchange.number}: was answered ${exchange.status}`,
      ["ask", exchange.method, target, ...headers, ...body].join(" "),
      ...captures
        .from(exchange, later)
        .flatMap((line) => [line, `URL_${line.split("=")[0]}=$(url "$${line.split("=")[0]}")`]),
    ].join("\n");
  });
  const deletions = captures.created
    .toReversed()
    .map((variable) => `ask DELETE "/projects/$URL_${variable}" -H "authorization: Bearer $DEVELOPER_KEY"`);
  if (deletions.length > 0) steps.push(["# What it created is deleted again.", ...deletions].join("\n"));
  const text = steps.join("\n\n");
  const used = [...new Set([...text.matchAll(/\$([A-Z_]+_KEY)\b/g)].map(([, name = ""]) => name))];
  const real = used.map((name) =>
    /^[A-Z]+_(DEVELOPER|TESTER)_KEY$/.exec(name)?.[1] === undefined || name === "OTHER_DEVELOPER_KEY"
      ? name
      : `${/(DEVELOPER|TESTER)/.exec(name)?.[1]}_KEY`,
  );
  const derived = used.flatMap((name) => shellOf(name));
  return `${head(baseUrl, [...new Set(real)], derived)}\n${text}\n`;
}

/** The requests that a script repeats. */
function chosen(shown: Exchange | undefined, own: readonly Exchange[], all: readonly Exchange[]): readonly Exchange[] {
  if (own.length > 0 && own.length <= mostRequests && (shown === undefined || own.includes(shown))) {
    const whole = own.flatMap((exchange) => chainOf(exchange, all));
    const chain = [...new Set([...whole, ...own])].sort((one, other) => one.number - other.number);
    if (chain.length <= mostRequests) return chain;
  }
  const last = shown ?? own.at(-1);
  return last === undefined ? [] : chainOf(last, all);
}

/** How a key that does not exist is derived from a real one. */
function shellOf(name: string): string[] {
  const [, form = "", holder = ""] = /^([A-Z]+)_(DEVELOPER|TESTER)_KEY$/.exec(name) ?? [];
  if (form === "" || form === "OTHER") return [];
  const key = `$${holder}_KEY`;
  const forms: Readonly<Record<string, string>> = {
    UNKNOWN: `\${${name}:-no-such-key-0123456789abcdef}`,
    EXTENDED: `${key}extended`,
    ALTERED: `\${${holder}_KEY%?}_`,
    TRUNCATED: `\${${holder}_KEY%?}`,
    HALF: `$(printf %s "${key}" | cut -c "1-$(( (\${#${holder}_KEY} + 1) / 2 ))")`,
    RECASED: `$(printf %s "${key}" | tr a-zA-Z A-Za-z)`,
  };
  const value = forms[form];
  return value === undefined ? [] : [`${name}=${value}`];
}
