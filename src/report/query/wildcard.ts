import type { Bind } from '../dimension.ts';

/** No real page or name needs a pattern with more stars. */
const STARS_MAX = 10;

/** What is wrong with a pattern; undefined if nothing is. */
export function findWildcardFault(pattern: string): string | undefined {
  if (pattern.split(/\*+/).length - 1 <= STARS_MAX) return undefined;
  return `A pattern has "*" or "**" in at most ${STARS_MAX} places.`;
}

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
