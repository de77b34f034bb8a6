import type { Exchange } from "./exchange.ts";

/** Text in single quotes for a POSIX shell; `§NAME§` within becomes the variable NAME. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`.replace(/§(\w+)§/g, `'"$$$1"'`);
}

/** Puts variables in the place of ids that earlier answers gave, so that the script works on records of its own. */
class Captures {
  readonly #variables = new Map<string, string>();
  /** Variables of the projects that the script creates. */
  readonly made: string[] = [];

  /** Ids in an answer that later requests use, with the field and the turn at which they stand in the text. */
  from(exchange: Exchange, later: string): string[] {
    const turns = new Map<string, number>();
    return [...exchange.text.matchAll(/"(id|testerId|projectId)"\s*:\s*("([^"\\]+)"|\d+)/g)].flatMap(
      ([, field = "", raw = "", inner]) => {
        const turn = (turns.get(field) ?? 0) + 1;
        turns.set(field, turn);
        const id = inner ?? raw;
        // A short number stands in too many places by chance to be followed.
        const made = field === "id" && turn === 1 && creates(exchange);
        if (this.#variables.has(id) || id.length < 3 || !(made || later.includes(id))) return [];
        const variable = `ID_${this.#variables.size + 1}`;
        this.#variables.set(id, variable);
        if (made) this.made.push(variable);
        return [`${variable}=$(value ${field} ${turn})`];
      },
    );
  }

  put(text: string): string {
    const longestFirst = [...this.#variables].sort(([one], [other]) => other.length - one.length);
    return longestFirst.reduce((result, [id, variable]) => result.replaceAll(id, `§${variable}§`), text);
  }
}

/** Whether it created a project. */
const creates = ({ method, target, status }: Exchange) => method === "POST" && target === "/projects" && status < 300;

const head = (baseUrl: string, keys: readonly string[]) => `#!/bin/sh
# Set ${keys.map((key) => `$${key}`).join(", ")} to keys of your own; no key stands in this file.
set -u
BASE_URL=\${BASE_URL:-${baseUrl}}
${keys.map((key) => `: "\${${key}:?}"`).join("\n")}
ANSWER=$(mktemp)
trap 'rm -f "$ANSWER"' EXIT
ask() { echo "> $1 $2"; M=$1; T=$2; shift 2; curl -sS -D - -o "$ANSWER" -X "$M" "$@" "$BASE_URL$T"; cat "$ANSWER"; echo; echo; }
value() { grep -o "\\"$1\\" *: *\\(\\"[^\\"]*\\"\\|[0-9]*\\)" "$ANSWER" | sed -n "$2p" | sed 's/^[^:]*: *"\\{0,1\\}//; s/"$//'; }
`;

/** A shell script with curl that sends the exchanges again, keys as variables. */
export function scriptOf(baseUrl: string, exchanges: readonly Exchange[], redact: (text: string) => string): string {
  const captures = new Captures();
  const steps = exchanges.map((exchange, index) => {
    const later = exchanges
      .slice(index + 1)
      .map(({ target, requestBody }) => `${target} ${requestBody ?? ""}`)
      .join("\n");
    const headers = Object.entries(exchange.requestHeaders)
      .filter(([name]) => name !== "user-agent" && name !== "accept")
      .map(([name, value]) => `-H ${header(redact(`${name}: ${value}`))}`);
    const body =
      exchange.requestBody === undefined ? [] : [`--data-binary ${quoted(captures.put(redact(exchange.requestBody)))}`];
    const request = ["ask", exchange.method, quoted(captures.put(redact(exchange.target))), ...headers, ...body].join(
      " ",
    );
    return [`# ${exchange.number}: was answered ${exchange.status}`, request, ...captures.from(exchange, later)].join(
      "\n",
    );
  });
  const farewell = captures.made
    .toReversed()
    .map((variable) => `ask DELETE "/projects/$${variable}" -H "authorization: Bearer $DEVELOPER_KEY"`);
  if (farewell.length > 0) steps.push(["# What it created is deleted again.", ...farewell].join("\n"));
  const text = steps.join("\n\n");
  const keys = [
    "DEVELOPER_KEY",
    "TESTER_KEY",
    "OTHER_DEVELOPER_KEY",
    "SPARE_KEY",
    "UNKNOWN_KEY",
    "ALTERED_KEY",
    "EXTENDED_KEY",
  ];
  return `${head(
    baseUrl,
    keys.filter((key) => text.includes(`$${key}`)),
  )}\n${text}\n`;
}

/** A header in double quotes, where `$VARIABLE` stays a variable. */
function header(text: string): string {
  return `"${text.replace(/["\\`]/g, "\\$&").replace(/\$(?!(?:DEVELOPER|TESTER|OTHER_DEVELOPER|SPARE|UNKNOWN|ALTERED|EXTENDED)_KEY)/g, "\\$")}"`;
}
