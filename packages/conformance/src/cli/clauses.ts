import { checks, unseen } from "../checks/index.ts";
import { clauses } from "../contract.ts";

/** Every clause with the checks that prove it, or the reason why none can. */
export function clausesText(): string {
  const lines = clauses.map(({ id, level, text }) => {
    const proofs = checks.filter((check) => check.clauses.includes(id)).map((check) => check.id);
    const proven =
      proofs.length > 0
        ? proofs.map((proof) => `    ${proof}`).join("\n")
        : `    not seen from outside: ${unseen[id] ?? "no reason is written"}`;
    return `${id} (${level}) ${text}\n${proven}`;
  });
  return `${lines.join("\n")}\n`;
}

/** The same as JSON. */
export function clausesJson(): string {
  const all = clauses.map(({ id, level, text }) => ({
    id,
    level,
    text,
    checks: checks.filter((check) => check.clauses.includes(id)).map((check) => check.id),
    ...(unseen[id] === undefined ? {} : { unseen: unseen[id] }),
  }));
  return `${JSON.stringify(all, null, 2)}\n`;
}
