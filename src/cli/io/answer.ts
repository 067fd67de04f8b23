import { Command } from 'commander';
import { UnavailableError } from '#domain/unavailable.ts';

/** Options that every command has. */
export type AnswerOptions = { readonly json?: boolean };

/** A command that takes `--json`. */
export function jsonCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--json', 'print a single JSON value and nothing else');
}

/** The options of {@link ofSiteCommand}. */
export type SiteOptions = AnswerOptions & { readonly site: string };

/** A command about one site, which takes `--json` and has to name the site. */
export function ofSiteCommand(name: string, description: string): Command {
  const command = jsonCommand(name, description);
  return command.requiredOption('--site <site>', 'the site’s domain or id');
}

/** Writes a command's result to stdout: the value as JSON with `--json`, otherwise the text. */
export function writeAnswer(options: AnswerOptions, value: unknown, text: string): void {
  process.stdout.write(`${options.json === true ? JSON.stringify(value) : text}\n`);
}

/** Formats rows as a table with a heading and aligned columns, or returns `whenEmpty` if there are none. */
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

/** What an error says; of a store that cannot be reached, also why. Clients of the API are not told that. */
export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  const first = cause instanceof AggregateError ? cause.errors[0] : cause;
  return error instanceof UnavailableError && first ? `${message} ${first.message}` : message;
}
