import type { Fault } from '#contract/fault.ts';
import type { Query } from '#contract/query.ts';
import { parseQuestion } from './parse-question.ts';
import type { ReportSite } from './ports.ts';

/**
 * What is wrong with the well-formed fields of a query that has faults of form elsewhere: names
 * that are not there, a range or a zone that is none.
 *
 * - Shape: `faults` are those of the form, found before; they are not repeated.
 * - Why order_by is left out when metrics or dimensions are malformed: nobody knows what was asked.
 */
export function findMoreFaults(
  sent: unknown,
  faults: readonly Fault[],
  site: ReportSite,
  now: number,
): readonly Fault[] {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return [];
  const malformed = new Set(faults.map(({ path }) => path.split('/')[1]));
  if (malformed.has('metrics') || malformed.has('dimensions')) malformed.add('order_by');
  const wellFormed = Object.entries(sent).filter(([field]) => !malformed.has(field));
  const defaults: Query = { site_id: site.id, metrics: [], date_range: 'day' };
  const question = parseQuestion(
    { ...defaults, ...(Object.fromEntries(wellFormed) as Partial<Query>) },
    site,
    { now },
  );
  return question.ok ? [] : question.error.details;
}
