import type { Journeys, JourneysAnswer } from '#contract/journeys.ts';
import { findAllConversions } from '../find-conversions.ts';
import { toAnsweredRange } from '../parse-asked.ts';
import type { ReportWarehouse } from '../ports.ts';
import { createQuestionKind, type KindParts } from '../question-kind.ts';
import type { QuestionKind } from '../questions.ts';
import { toSentStep } from '../steps/parse-steps.ts';
import {
  type JourneyRow,
  type JourneysQuestion,
  toJourneysStatement,
} from './journeys-statement.ts';
import { JOURNEYS_DEFAULTS, NO_ANCHOR, parseJourneys } from './parse-journeys.ts';
import { toWays } from './to-ways.ts';

/** Answers by which ways people come to something, or go on from it, and what they pay. */
export function createJourneys(parts: KindParts): QuestionKind<Journeys, JourneysAnswer> {
  const kind = createQuestionKind(parts, { parse: parseJourneys, answer });
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
  journeys: JourneysQuestion,
  asked: Journeys,
): Promise<JourneysAnswer> {
  const [rows, conversions] = await Promise.all([
    warehouse.select<JourneyRow>(toJourneysStatement(journeys)),
    findAllConversions(warehouse, journeys.question),
  ]);
  return { results: toWays(rows, journeys), meta: conversions, query: toEcho(asked, journeys) };
}

function toEcho(asked: Journeys, journeys: JourneysQuestion): JourneysAnswer['query'] {
  const { question, anchor, direction, by, depth, breadth, fold } = journeys;
  return {
    site_id: asked.site_id,
    date_range: toAnsweredRange(question.period),
    filters: asked.filters ?? [],
    timezone: question.period.timeZone,
    [direction]: toSentStep(anchor),
    within: asked.within ?? JOURNEYS_DEFAULTS.within,
    ...{ by, depth, breadth, fold: [...fold] },
  };
}
