import type { Bind } from '../../dimension.ts';

/**
 * SQL condition for strings that match the whole pattern: `*` matches anything but a slash, `**` anything, other
 * characters themselves.
 *
 * - Why the text before the first star is compared first: it decides most strings, many times faster than a regular
 *   expression.
 */
export function wildcardSql(text: string, pattern: string, bind: Bind): string {
  const star = pattern.indexOf('*');
  if (star === -1) return `${text} = ${bind(pattern, 'String')}`;
  const begins =
    star === 0 ? '1' : `startsWith(${text}, ${bind(pattern.slice(0, star), 'String')})`;
  if (/^\*{2,}$/.test(pattern.slice(star))) return begins;
  const matches = `match(${text}, ${bind(toRegularExpression(pattern, false), 'String')})`;
  return star === 0 ? matches : `${begins} AND ${matches}`;
}

/** The regular expression (RE2) of a pattern. */
export function toRegularExpression(pattern: string, ignoresCase: boolean): string {
  const parts = pattern.split(/(\*+)/).map((part) => {
    if (part === '*') return '[^/]*';
    return part.startsWith('*') ? '.*' : part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
  });
  return `${ignoresCase ? '(?is)' : '(?s)'}^${parts.join('')}$`;
}
