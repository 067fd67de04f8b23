import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createChecker } from '#contract/checker.ts';
import { type FileFormat, type MetricValue, QueryAnswer, type SentQuery } from '#contract/query.ts';
import type { EventRow } from '#contract/rows/event-row.ts';
import { createReports } from '#report/reports/create-reports.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW, BAKERY_PAYMENTS } from './bakery.ts';
import { openWorldWarehouse, type WorldPayment, type WorldWarehouse } from './open-warehouse.ts';

/** A query in which the site and November 2026 go without saying. */
export type BakeryQuery = Partial<SentQuery> & Pick<SentQuery, 'metrics'>;

/** Signs the bakery's cursors. */
export const BAKERY_CURSOR_KEY = Buffer.from('flour');

const ANSWERS = createChecker(QueryAnswer);

/** The bakery's world in a warehouse of its own, ready to be asked. */
export interface Bakery {
  readonly warehouse: WorldWarehouse['warehouse'];
  ask(query: BakeryQuery): Promise<QueryAnswer>;
  /** The answer's rows as text, `Google | 1 | 35.90`: easy to compare with the world's table. */
  lines(query: BakeryQuery): Promise<string[]>;
  /** The rows of an answer as a file, and read back from it as the engine reads it. */
  file(query: BakeryQuery, format: FileFormat): Promise<{ bytes: Buffer; rows: unknown[] }>;
  /** The faults found in a query, as `path: message`. */
  faults(query: BakeryQuery): Promise<string[]>;
  /** More than the bakery's own, for one test's sake. */
  addEvents(rows: readonly EventRow[]): Promise<void>;
  addPayments(rows: readonly WorldPayment[]): Promise<void>;
  addCosts: WorldWarehouse['addCosts'];
  /** Whose visitors and transactions of the bakery are. */
  addPersons(
    rows: readonly (readonly [kind: string, key: string, personId: string])[],
  ): Promise<void>;
  close(): Promise<void>;
}

/** Opens the bakery. Reports are asked at noon of 21 November 2026 in Berlin. */
export async function openBakery(): Promise<Bakery> {
  const world = await openWorldWarehouse();
  const { warehouse, addEvents, addPayments, addPersons, close } = world;
  await addEvents(BAKERY_EVENTS);
  await world.merge();
  await addPayments(BAKERY_PAYMENTS.slice(0, 2));
  await addPayments(BAKERY_PAYMENTS);
  const { breakdowns: report } = createReports({
    ...{ warehouse, now: () => BAKERY_NOW, cursorKey: BAKERY_CURSOR_KEY },
  });
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
    warehouse,
    ask,
    addPersons: (rows) => addPersons(rows.map(([...row]) => [...row, BAKERY.id] as const)),
    async lines(query) {
      const { results } = await ask(query);
      return results.map((row) => [...row.dimensions, ...row.metrics.map(toText)].join(' | '));
    },
    async file(query, format) {
      const asked = { site_id: BAKERY.id, date_range: 'month', ...query };
      const file = await report.answerFile(BAKERY, asked, format);
      assert.ok(file.ok, JSON.stringify(file));
      const path = join(mkdtempSync(join(tmpdir(), 'tributary-file-')), 'rows');
      writeFileSync(path, file.value);
      const rows = await warehouse.select({
        sql: `SELECT * FROM file({path:String}, ${format})`,
        params: { path },
      });
      rmSync(dirname(path), { recursive: true });
      return { bytes: file.value, rows };
    },
    async faults(query) {
      const answer = await answerTo(query);
      assert.ok(!answer.ok, 'the query is refused');
      return answer.error.details.map(({ path, message }) => `${path}: ${message}`);
    },
    addEvents,
    addPayments,
    addCosts: world.addCosts,
    close,
  };
}

function toText(value: MetricValue): string {
  return typeof value === 'object' && value !== null ? value.value : String(value);
}
