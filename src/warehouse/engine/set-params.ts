/**
 * The statement that binds the values of a ClickHouse client's request to the `{name:Type}` places of
 * what follows it; empty when there are none.
 *
 * - Shape: a client sends each value as `param_NAME` in the engine's escaped text form, which is what
 *   the engine's own `SET` takes. Values outlive the statement: its session is nobody else's meanwhile.
 * - Throws on a name that is none: the client made it, so it is a bug.
 * - Why not by the engine's binding call: it lets one statement at a time through, whatever the
 *   session (docs/decisions/0013-queries-are-scheduled-whole.md).
 */
export function setParams(search: URLSearchParams): string {
  const params = [...search].filter(([key]) => key.startsWith('param_'));
  if (params.length === 0) return '';
  return `SET ${params.map(([key, value]) => `${nameOf(key)} = ${toText(value)}`).join(', ')};\n`;
}

/** The value as a text literal of SQL. */
export function toText(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
}

function nameOf(key: string): string {
  if (!/^param_\w+$/.test(key)) throw new Error('a parameter has a name of letters and digits');
  return key;
}
