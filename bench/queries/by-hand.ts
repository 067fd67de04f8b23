import { readFileSync } from 'node:fs';

/** A handwritten statement, by the name of its panel. */
export type ByHandStatement = { readonly panel: string; readonly sql: string };

/** The scope of the statements: the last days of a site, including today. */
export type ByHandPeriod = {
  readonly siteId: string;
  readonly days: number;
  /** Whether so many visits exist that distinct visitors are estimated. */
  readonly isEstimated: boolean;
};

/** The statements of by-hand.sql, with all parts and values filled in. */
export function readByHand({ siteId, days, isEstimated }: ByHandPeriod): ByHandStatement[] {
  const text = readFileSync(new URL('by-hand.sql', import.meta.url), 'utf8');
  const today = "toDate(now(), 'Europe/Berlin')";
  const daysAgo = (count: number) => `toDateTime64(${today} - ${count}, 3, 'Europe/Berlin')`;
  const values: Record<string, string> = {
    site: `'${siteId}'`,
    before: daysAgo(2 * days - 1),
    from: daysAgo(days - 1),
    to: 'now64(3)',
    uniq: isEstimated ? 'uniqCombined64(17)' : 'uniqExact',
    ...Object.fromEntries(sectionsOf(text, 'part')),
  };
  const fill = (sql: string): string =>
    sql.replace(/\{(\w+)\}/g, (_all, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`by-hand.sql has no part ${name}`);
      return fill(value);
    });
  return sectionsOf(text, 'panel').map(([panel, sql]) => ({ panel, sql: fill(sql) }));
}

/** The sections of one kind, by name. */
function sectionsOf(text: string, kind: 'part' | 'panel'): [name: string, sql: string][] {
  const sections = text.split(/^(?=-- (?:part|panel): )/m);
  return sections.flatMap((section) => {
    const [head = '', ...lines] = section.split('\n');
    const start = `-- ${kind}: `;
    return head.startsWith(start) ? [[head.slice(start.length), lines.join('\n').trim()]] : [];
  });
}
