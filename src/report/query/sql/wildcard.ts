import type { Bind } from '../../dimension.ts';

/**
 * SQL that holds for texts that are as the pattern says, the whole of them: `*` stands for anything but a
 * slash, `**` for anything, the rest for itself.
 *
 * - Why the text before the first star is looked at by itself: it decides most texts, and many times
 *   faster than a regular expression.
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
