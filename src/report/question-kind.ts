import type { AskedFields } from '#contract/question.ts';
import type { Result } from '#domain/result.ts';
import { findFaultsBeside } from './find-more-faults.ts';
import type { WarehouseOf } from './in-turns.ts';
import type { Clock } from './parse-asked.ts';
import type { ReportSite, ReportWarehouse, Stops } from './ports.ts';
import type { Question } from './question.ts';
import type { QuestionTurns } from './question-turns.ts';
import type { QuestionKind } from './questions.ts';
import type { Refusal } from './refusal.ts';
import { understand } from './understand.ts';
import { withinLimits } from './within-limits.ts';

/** What every kind of question is made of. `now` in milliseconds, UTC. */
export type KindParts = {
  readonly warehouseOf: WarehouseOf;
  readonly turns: QuestionTurns;
  readonly now: () => number;
};

/** A kind of question, by how it is understood and then answered. */
export function createQuestionKind<
  Asked extends AskedFields,
  Understood extends { readonly question: Question },
  Answer,
>(
  { warehouseOf, turns, now }: KindParts,
  how: {
    readonly parse: (asked: Asked, site: ReportSite, clock: Clock) => Result<Understood, Refusal>;
    readonly answer: (
      warehouse: ReportWarehouse,
      understood: Understood,
      asked: Asked,
    ) => Promise<Answer>;
    /** What a question needs beside a site and a period to be read at all. */
    readonly needs?: Partial<Asked>;
  },
): QuestionKind<Asked, Answer> {
  const findMoreFaults: QuestionKind<Asked, Answer>['findMoreFaults'] = (site, sent, faults) => {
    const defaults = { site_id: site.id, date_range: 'day', ...how.needs } as Asked;
    return findFaultsBeside(sent, faults, defaults, (asked) =>
      how.parse(asked, site, { now: now() }),
    );
  };
  const inTurn = turns.ofKind<Asked>(
    ({ site, asked }) => !how.parse(asked, site, { now: now() }).ok,
  );
  return {
    answer(site, asked, leaves) {
      const answer = async (stops: Stops | undefined) => {
        const warehouse = warehouseOf(site);
        const understood = await understand(warehouse, {
          ...{ asked, site, now: now() },
          parse: (clock) => how.parse(asked, site, clock),
        });
        if (!understood.ok) return understood;
        const ask = (stopping: ReportWarehouse) => how.answer(stopping, understood.value, asked);
        return withinLimits(warehouse, ask, stops);
      };
      return inTurn({ site, asked, how: undefined }, answer, leaves);
    },
    findMoreFaults,
  };
}
