import { operationsOf, type ReferenceSource } from "./operations.ts";

/** clauses.yaml, by id. */
export type Clauses = Readonly<Record<string, { readonly level: "stated" | "chosen"; readonly text: string }>>;

const levels = [
  ["stated", "Stated", "Part of the published interface. Every implementation keeps them."],
  ["chosen", "Chosen", "Left open by the interface and decided here. Another implementation may decide otherwise."],
] as const;

/** Every clause with its id as its address, and links to the operations that keep it. */
export function clausesHtml(clauses: Clauses, sources: readonly ReferenceSource[]): string {
  const operations = sources.flatMap(operationsOf);
  return levels
    .map(([level, title, meaning]) => {
      const items = Object.entries(clauses)
        .filter(([, clause]) => clause.level === level)
        .map(([id, { text }]) => {
          const kept = operations.filter((each) => each.clauses.includes(id));
          const links = kept.map(({ address, id: operation }) => `<a href="${address}">${operation}</a>`).join(", ");
          return `<li id="${id}"><h3><a href="#${id}">${id}</a></h3><p>${toHtml(text)}</p>${links && `<p class="kept">Operations: ${links}</p>`}</li>`;
        });
      return `<section aria-labelledby="${level}"><h2 id="${level}">${title}</h2><p>${meaning}</p><ul class="clauses">${items.join("\n")}</ul></section>`;
    })
    .join("\n");
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Text with code in backquotes, as HTML. */
export function toHtml(text: string): string {
  const escaped = text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? "");
  return escaped.replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}
