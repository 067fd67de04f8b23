/**
 * The fault in a program's options, in one line, if that is why Node's `parseArgs` threw. Rethrows all other errors.
 */
export function toUsageFault(error: unknown): string {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (!code.startsWith('ERR_PARSE_ARGS')) throw error;
  const [, option] = /^Option '(--[\w-]+).*(?:missing|ambiguous)/.exec(message) ?? [];
  if (option !== undefined) return `${option} takes a value, and none that begins with a dash`;
  return message.split(/\.\s/)[0] ?? message;
}

/** Parses an integer from `min` to `max`. */
export function toWhole(
  text: string,
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const number = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) && number >= min && number <= max ? number : undefined;
}
