/** What every command's `--json` decides. */
export type AnswerOptions = { readonly json?: boolean };

/** How every command describes `--json`. */
export const JSON_OPTION = ['--json', 'print one JSON value, nothing else'] as const;

/** Writes a command's answer to stdout: the value for programs, or the text for people. */
export function writeAnswer(options: AnswerOptions, value: unknown, text: string): void {
  process.stdout.write(`${options.json === true ? JSON.stringify(value) : text}\n`);
}

/** A table of texts with a heading, its columns as wide as they need to be. */
export function toTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heading, ...rows];
  const widths = heading.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** An instant as ISO 8601, or null for none. */
export function toIso(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
