/** Prints a command's result: JSON for programs, else lines for people. */
export function print(json: boolean | undefined, value: unknown, lines: () => readonly string[]): void {
  console.log(json ? JSON.stringify(value) : lines().join("\n"));
}

/** Rows with aligned columns under their names. */
export function table(rows: readonly Readonly<Record<string, string>>[], none: string): string[] {
  const [first] = rows;
  if (!first) return [none];
  const names = Object.keys(first);
  const widths = names.map((name) => Math.max(name.length, ...rows.map((row) => row[name]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, place) => cell.padEnd(widths[place] ?? 0))
      .join("  ")
      .trimEnd();
  return [
    line(names.map((name) => name.toUpperCase())),
    ...rows.map((row) => line(names.map((name) => row[name] ?? ""))),
  ];
}
