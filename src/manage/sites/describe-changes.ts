/** Values by name. */
type Fields = Readonly<Record<string, unknown>>;

/**
 * The fields that changed, with their values before and after: `name: none → Tea; retention: 2y → 90d`.
 * Empty if none did. Lists of objects are only named.
 */
export function describeChanges(before: Fields, after: Fields): string {
  return Object.entries(after)
    .filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]))
    .map(([name, value]) => {
      const [said, from, to] = [name.replaceAll('_', ' '), toText(before[name]), toText(value)];
      return from === undefined || to === undefined ? said : `${said}: ${from} → ${to}`;
    })
    .join('; ');
}

/** Null stands for a default. */
function toText(value: unknown): string | undefined {
  if (value === null) return 'default';
  if (!Array.isArray(value)) return `${value}` || 'none';
  if (value.some((each) => typeof each === 'object')) return undefined;
  return value.join(', ') || 'none';
}
