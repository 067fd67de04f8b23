import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import type { ReportWarehouse } from '#report/ports.ts';
import { createQuestions } from '#report/questions.ts';
import { BAKERY, BAKERY_EVENTS, BAKERY_NOW, BAKERY_PAYMENTS } from '../worlds/bakery.ts';
import { openWorldWarehouse, type WorldWarehouse } from '../worlds/open-warehouse.ts';

const QUERY = {
  site_id: BAKERY.id,
  metrics: ['revenue', 'conversions'],
  dimensions: ['visit:channel'],
  date_range: ['2026-11-01', '2026-11-30'] as [string, string],
};

describe('what every question must know of a site', () => {
  let world: WorldWarehouse;
  let asked: string[];
  before(async () => {
    world = await openWorldWarehouse();
    await world.addEvents(BAKERY_EVENTS);
  });
  after(() => world.close());
  beforeEach(() => {
    asked = [];
  });

  /** A warehouse that notes what it is asked; it fails while `fails` says so. */
  function noting(fails: () => boolean = () => false): ReportWarehouse {
    return {
      ...world.warehouse,
      async select<Row>(statement: { readonly sql: string }) {
        asked.push(statement.sql);
        if (fails()) throw new Error('away');
        return world.warehouse.select<Row>(statement);
      },
    };
  }
  const questionsOf = (warehouse: ReportWarehouse) =>
    createQuestions({ warehouse, now: () => BAKERY_NOW, settledKnownForMs: 0 });
  async function answer({ report }: ReturnType<typeof questionsOf>) {
    const answered = await report.answer(BAKERY, QUERY);
    assert.ok(answered.ok, JSON.stringify(answered));
    return answered.value.results;
  }

  it('is asked once, as long as nothing is written', async () => {
    const questions = questionsOf(noting());
    const first = await answer(questions);
    const statements = asked.length;
    assert.deepEqual(await answer(questions), first);
    assert.equal(asked.length - statements, 1, asked.slice(statements).join('\n'));
  });

  it('is asked anew after anything was written, so that a first payment counts at once', async () => {
    const questions = questionsOf(noting());
    const revenue = (rows: Awaited<ReturnType<typeof answer>>) =>
      rows.map(({ metrics: [value] }) => value);
    const before = revenue(await answer(questions));
    await world.addPayments(BAKERY_PAYMENTS);
    const afterwards = revenue(await answer(questions));
    assert.notDeepEqual(afterwards, before);
    assert.deepEqual(afterwards, revenue(await answer(questionsOf(noting()))));
  });

  it('is asked every time where nobody can tell what is written', async () => {
    const { writeMark: _, ...others } = noting();
    const questions = questionsOf(others);
    await answer(questions);
    const statements = asked.length;
    await answer(questions);
    assert.equal(asked.length, 2 * statements);
  });

  it('is asked again when the warehouse was away', async () => {
    let isAway = true;
    const questions = questionsOf(noting(() => isAway));
    await assert.rejects(answer(questions), /away/);
    isAway = false;
    assert.ok((await answer(questions)).length > 0);
  });
});
