import type { Journeys, JourneysAnswer } from '#contract/reports/journeys.ts';
import type { MoneyNotes } from '../../query/find-money-notes.ts';
import { echoOf } from '../../query/parse/parse-fields.ts';
import type { KindParts, QueryKind } from '../../query/query-kind.ts';
import { ALL_PAYMENTS, createReportKind } from '../report-kind.ts';
import { toSentStep } from '../steps/parse-steps.ts';
import { type JourneyRow, toJourneysStatement } from './journeys-statement.ts';
import {
  JOURNEYS_DEFAULTS,
  type JourneysPlan,
  NO_ANCHOR,
  parseJourneys,
} from './parse-journeys.ts';
import { toWays } from './to-ways.ts';

/** Answers by which ways people come to something, or go on from it, and what they pay. */
export function createJourneys(parts: KindParts): QueryKind<Journeys, JourneysAnswer> {
  const kind = createReportKind(parts, {
    parse: parseJourneys,
    toStatement: toJourneysStatement,
    paymentsOf: () => ALL_PAYMENTS,
    toAnswer,
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

function toAnswer(
  rows: readonly JourneyRow[],
  journeys: JourneysPlan,
  asked: Journeys,
  moneyNotes: MoneyNotes,
): JourneysAnswer {
  return { results: toWays(rows, journeys), meta: moneyNotes, query: toEcho(asked, journeys) };
}

function toEcho(asked: Journeys, journeys: JourneysPlan): JourneysAnswer['query'] {
  const { query, anchor, direction, by, depth, breadth, fold } = journeys;
  return {
    ...echoOf(asked, query.period),
    [direction]: toSentStep(anchor),
    within: asked.within ?? JOURNEYS_DEFAULTS.within,
    ...{ by, depth, breadth, fold: [...fold] },
  };
}
