import { Command } from 'commander';

/** What every command's `--json` decides. */
export type AnswerOptions = { readonly json?: boolean };

/** A command that takes `--json`. */
export function jsonCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--json', 'print one JSON value, nothing else');
}

/** Writes a command's answer to stdout: the value for programs, or the text for people. */
export function writeAnswer(options: AnswerOptions, value: unknown, text: string): void {
  process.stdout.write(`${options.json === true ? JSON.stringify(value) : text}\n`);
}

/** A table of texts with a heading, its columns as wide as they need to be; without rows `whenEmpty`. */
export function toTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  whenEmpty = '',
): string {
  if (rows.length === 0) return whenEmpty;
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
