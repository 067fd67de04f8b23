/**
 * The `SET` statement that binds the parameters of a client's request to the `{name:Type}` placeholders of the next
 * statement. Empty without parameters.
 *
 * - Shape: a client sends each value as `param_NAME` in the engine's escaped text format, which `SET` accepts. The
 *   values outlive the statement, but nothing else uses the session meanwhile.
 * - Throws on an invalid name. The client created it, so it is a bug.
 * - Why not the engine's binding call: it serializes statements across all sessions
 *   (docs/decisions/0013-queries-are-scheduled-whole.md).
 */
export function setParams(search: URLSearchParams): string {
  const params = [...search].filter(([key]) => key.startsWith('param_'));
  if (params.length === 0) return '';
  return `SET ${params.map(([key, value]) => `${nameOf(key)} = ${quoteText(value)}`).join(', ')};\n`;
}

/** The value as an SQL string literal. */
export function quoteText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
}

function nameOf(key: string): string {
  if (!/^param_\w+$/.test(key))
    throw new Error('a parameter name has only letters, digits and underscores');
  return key;
}
