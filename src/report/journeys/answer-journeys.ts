import type { Journeys, JourneysAnswer } from '#contract/journeys.ts';
import { findAllConversions } from '../find-conversions.ts';
import { findFaultsBeside } from '../find-more-faults.ts';
import type { FindSettled } from '../find-settled.ts';
import type { WarehouseOf } from '../in-turns.ts';
import { toAnsweredRange } from '../parse-asked.ts';
import type { QuestionKind } from '../questions.ts';
import { toSentStep } from '../steps/parse-steps.ts';
import { understand } from '../understand.ts';
import { withinLimits } from '../within-limits.ts';
import {
  type JourneyRow,
  type JourneysQuestion,
  toJourneysStatement,
} from './journeys-statement.ts';
import { JOURNEYS_DEFAULTS, NO_ANCHOR, parseJourneys } from './parse-journeys.ts';
import { toWays } from './to-ways.ts';

/** Answers by which ways people come to something, or go on from it, and what they pay. */
export function createJourneys({
  warehouseOf,
  findSettled,
  now,
}: {
  readonly warehouseOf: WarehouseOf;
  readonly findSettled: FindSettled;
  readonly now: () => number;
}): QuestionKind<Journeys, JourneysAnswer> {
  return {
    async answer(site, asked) {
      const warehouse = warehouseOf(site);
      const journeys = await understand(warehouse, {
        ...{ asked, site, now: now(), findSettled },
        parse: (clock) => parseJourneys(asked, site, clock),
      });
      if (!journeys.ok) return journeys;
      return withinLimits(async () => {
        const [rows, conversions] = await Promise.all([
          warehouse.select<JourneyRow>(toJourneysStatement(journeys.value)),
          findAllConversions(warehouse, journeys.value.question),
        ]);
        return {
          results: toWays(rows, journeys.value),
          meta: conversions,
          query: toEcho(asked, journeys.value),
        };
      });
    },
    findMoreFaults(site, sent, faults) {
      const isAnchorMalformed = faults.some(({ path }) => /^\/(from|to)\b/.test(path));
      const defaults = { site_id: site.id, date_range: 'day' };
      const found = findFaultsBeside<Journeys>(sent, faults, defaults, (asked) =>
        parseJourneys(asked, site, { now: now() }),
      );
      return found.filter(({ message }) => !isAnchorMalformed || message !== NO_ANCHOR);
    },
  };
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
