import assert from 'node:assert/strict';
import { createChecker } from '#contract/checker.ts';
import { type MetricValue, type Query, QueryAnswer } from '#contract/query.ts';
import { createReport } from '#report/answer-query.ts';
import type { EventRow } from '#warehouse/event-row.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW, BAKERY_PAYMENTS } from './bakery.ts';
import { openWorldWarehouse, type WorldPayment } from './open-warehouse.ts';

/** A query in which the site and November 2026 go without saying. */
export type BakeryQuery = Partial<Query> & Pick<Query, 'metrics'>;

const ANSWERS = createChecker(QueryAnswer);

/** The bakery's world in a warehouse of its own, ready to be asked. */
export interface Bakery {
  ask(query: BakeryQuery): Promise<QueryAnswer>;
  /** The answer's rows as text, `Google | 1 | 35.90`: easy to compare with the world's table. */
  lines(query: BakeryQuery): Promise<string[]>;
  /** The faults found in a query, as `path: message`. */
  faults(query: BakeryQuery): Promise<string[]>;
  /** More than the bakery's own, for one test's sake. */
  addEvents(rows: readonly EventRow[]): Promise<void>;
  addPayments(rows: readonly WorldPayment[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens the bakery. Questions are asked at noon of 21 November 2026 in Berlin. */
export async function openBakery(): Promise<Bakery> {
  const { warehouse, addEvents, addPayments, close } = await openWorldWarehouse();
  await addEvents(BAKERY_EVENTS);
  await addPayments(BAKERY_PAYMENTS);
  const report = createReport({ warehouse, now: () => BAKERY_NOW });
  const answerTo = (query: BakeryQuery) =>
    report.answer(BAKERY, {
      site_id: BAKERY.id,
      date_range: ['2026-11-01', '2026-11-30'],
      ...query,
    });

  async function ask(query: BakeryQuery): Promise<QueryAnswer> {
    const answer = await answerTo(query);
    assert.ok(answer.ok, JSON.stringify(answer));
    assert.deepEqual(ANSWERS.findFaults(answer.value), [], 'the answer is as OpenAPI says');
    return answer.value;
  }
  return {
    ask,
    async lines(query) {
      const { results } = await ask(query);
      return results.map((row) => [...row.dimensions, ...row.metrics.map(toText)].join(' | '));
    },
    async faults(query) {
      const answer = await answerTo(query);
      assert.ok(!answer.ok, 'the query is refused');
      return answer.error.details.map(({ path, message }) => `${path}: ${message}`);
    },
    addEvents,
    addPayments,
    close,
  };
}

function toText(value: MetricValue): string {
  return typeof value === 'object' && value !== null ? value.value : String(value);
}
