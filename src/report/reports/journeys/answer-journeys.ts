import type { Journeys, JourneysAnswer } from '#contract/reports/journeys.ts';
import { echoOf } from '../../query/parse/parse-fields.ts';
import type { KindParts, QueryKind } from '../../query/query-kind.ts';
import { ALL, createReportKind } from '../report-kind.ts';
import { toSentStep } from '../steps/parse-steps.ts';
import { type JourneyRow, toJourneysStatement } from './journeys-statement.ts';
import { JOURNEYS_DEFAULTS, NO_ANCHOR, parseJourneys } from './parse-journeys.ts';
import { toWays } from './to-ways.ts';

/** Answers by which ways people come to something, or go on from it, and what they pay. */
export function createJourneys(parts: KindParts): QueryKind<Journeys, JourneysAnswer> {
  const kind = createReportKind(parts, {
    parse: parseJourneys,
    toStatement: toJourneysStatement,
    paymentsOf: () => ALL,
    toAnswer(rows: readonly JourneyRow[], journeys, asked, moneyNotes) {
      const { query, anchor, direction, by, depth, breadth, fold } = journeys;
      const within = asked.within ?? JOURNEYS_DEFAULTS.within;
      return {
        results: toWays(rows, journeys),
        meta: moneyNotes,
        query: {
          ...echoOf(asked, query.period),
          [direction]: toSentStep(anchor),
          ...{ within, by, depth, breadth, fold: [...fold] },
        },
      };
    },
  });
  return {
    ...kind,
    findMoreFaults(site, sent, faults) {
      const isAnchorMalformed = faults.some(({ path }) => /^\/(from|to)\b/.test(path));
      const found = kind.findMoreFaults(site, sent, faults);
      return found.filter(({ message }) => !isAnchorMalformed || message !== NO_ANCHOR);
    },
  };
}
