import type { Journeys, JourneysAnswer } from '#contract/reports/journeys.ts';
import type { QueryKind } from '../../create-reports.ts';
import type { ReportWarehouse } from '../../ports.ts';
import { toAnsweredRange } from '../../query/parse/parse-fields.ts';
import { createQueryKind, type KindParts } from '../../query/query-kind.ts';
import { findAllConversions } from '../../query/shape/find-conversions.ts';
import { toSentStep } from '../steps/parse-steps.ts';
import { type JourneyRow, type JourneysQuery, toJourneysStatement } from './journeys-statement.ts';
import { JOURNEYS_DEFAULTS, NO_ANCHOR, parseJourneys } from './parse-journeys.ts';
import { toWays } from './to-ways.ts';

/** Answers by which ways people come to something, or go on from it, and what they pay. */
export function createJourneys(parts: KindParts): QueryKind<Journeys, JourneysAnswer> {
  const kind = createQueryKind(parts, { parse: parseJourneys, answer });
  return {
    ...kind,
    findMoreFaults(site, sent, faults) {
      const isAnchorMalformed = faults.some(({ path }) => /^\/(from|to)\b/.test(path));
      const found = kind.findMoreFaults(site, sent, faults);
      return found.filter(({ message }) => !isAnchorMalformed || message !== NO_ANCHOR);
    },
  };
}

async function answer(
  warehouse: ReportWarehouse,
  journeys: JourneysQuery,
  asked: Journeys,
): Promise<JourneysAnswer> {
  const [rows, conversions] = await Promise.all([
    warehouse.select<JourneyRow>(toJourneysStatement(journeys)),
    findAllConversions(warehouse, journeys.query),
  ]);
  return { results: toWays(rows, journeys), meta: conversions, query: toEcho(asked, journeys) };
}

function toEcho(asked: Journeys, journeys: JourneysQuery): JourneysAnswer['query'] {
  const { query, anchor, direction, by, depth, breadth, fold } = journeys;
  return {
    site_id: asked.site_id,
    date_range: toAnsweredRange(query.period),
    filters: asked.filters ?? [],
    timezone: query.period.timeZone,
    [direction]: toSentStep(anchor),
    within: asked.within ?? JOURNEYS_DEFAULTS.within,
    ...{ by, depth, breadth, fold: [...fold] },
  };
}
