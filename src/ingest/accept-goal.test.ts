import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { EventRow } from '#contract/rows/event-row.ts';
import type { Claim } from '#domain/claim.ts';
import { MINUTE_MS } from '#domain/time/durations.ts';
import type { KnownVisitor } from '#domain/visit/known-visitor.ts';
import { type Ledger, openLedger } from '#ledger/open-ledger.ts';
import { createAcceptGoal } from './accept-goal.ts';
import { newUuid } from './new-uuid.ts';
import { createVisitorDirectory } from './visitor-directory.ts';

const START = Date.UTC(2026, 10, 21, 12);
const PERSON: KnownVisitor = {
  botClass: '',
  hasPageview: true,
  visitId: newUuid(START),
  visitStartedAt: START,
  lastEventAt: START,
};

describe('accepting a goal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-goals-'));
  let ledger: Ledger;
  before(async () => {
    ledger = await openLedger({ location: join(folder, 'ledger.db') });
  });
  after(async () => {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The use case over the real ledger; `shipped` is what the warehouse learns while it waits. */
  function open({ now = START, shipped = new Map<string, KnownVisitor>() } = {}) {
    const rows: EventRow[] = [];
    const warehouse = new Map<string, KnownVisitor>();
    let waits = 0;
    const directory = createVisitorDirectory({
      findVisitors: async (visitors) => visitors.map(({ visitorId }) => warehouse.get(visitorId)),
      async waitForShipping() {
        waits += 1;
        for (const [id, visitor] of shipped) warehouse.set(id, visitor);
      },
    });
    const accept = createAcceptGoal({
      journal: {
        async append(appended) {
          rows.push(...appended);
        },
      },
      ledger,
      directory,
      now: () => now,
      newId: newUuid,
    });
    const acceptFrom = (visitor: string, claim?: Claim) =>
      accept({
        siteId: 'site_1',
        goal: { service_visitor_id: visitor, name: 'signup', metadata: { plan: '<b>pro</b>' } },
        claim,
      });
    return { acceptFrom, directory, rows, warehouse, waits: () => waits };
  }

  it('assigns it to the open visit without prolonging the visit', async () => {
    const { acceptFrom, directory, rows } = open({ now: START + 29 * MINUTE_MS });
    directory.remember('site_1', 'ada', PERSON);
    const accepted = await acceptFrom('ada');
    assert.ok(accepted.ok);
    const [row] = rows;
    assert.deepEqual(row, {
      site_id: 'site_1',
      occurred_at: START + 29 * MINUTE_MS,
      accepted_at: START + 29 * MINUTE_MS,
      event_id: JSON.parse(accepted.value.answer).data[0].eventId,
      type: 'goal',
      visitor_id: 'ada',
      visit_id: PERSON.visitId,
      visit_started_at: START,
      extends_visit: 0,
      name: 'signup',
      props: { plan: 'pro' },
    });
    assert.deepEqual(directory.recall('site_1', 'ada'), PERSON);
  });

  it('gives it the class of the open visit', async () => {
    const { acceptFrom, directory, rows } = open();
    const visitClass = { botClass: 'declared', botReason: 'Googlebot' };
    directory.remember('site_1', 'ada', { ...PERSON, visitClass });
    await acceptFrom('ada');
    assert.deepEqual([rows[0]?.bot_class, rows[0]?.bot_reason], ['declared', 'Googlebot']);
    directory.remember('site_1', 'ada', {
      ...PERSON,
      visitClass,
      lastEventAt: START - 30 * MINUTE_MS,
    });
    await acceptFrom('ada');
    assert.equal(rows[1]?.bot_class, undefined);
  });

  it('assigns it to no visit after 30 minutes', async () => {
    const { acceptFrom, directory, rows } = open({ now: START + 30 * MINUTE_MS });
    directory.remember('site_1', 'ada', PERSON);
    await acceptFrom('ada');
    assert.equal(rows[0]?.visit_id, undefined);
  });

  it('finds a visitor in the warehouse without waiting', async () => {
    const { acceptFrom, warehouse, waits } = open();
    warehouse.set('ada', PERSON);
    assert.ok((await acceptFrom('ada')).ok);
    assert.equal(waits(), 0);
  });

  it('waits for one shipment before it refuses an unknown visitor', async () => {
    const late = open({ shipped: new Map([['ada', PERSON]]) });
    assert.ok((await late.acceptFrom('ada')).ok);
    assert.equal(late.waits(), 1);

    const never = open();
    assert.deepEqual(await never.acceptFrom('ada'), {
      ok: false,
      error: { type: 'visitor_not_found' },
    });
    assert.equal(never.waits(), 1);
    assert.deepEqual(never.rows, []);
  });

  it('refuses a bot immediately', async () => {
    const { acceptFrom, directory, waits } = open();
    directory.remember('site_1', 'bot', { ...PERSON, hasPageview: false, botClass: 'declared' });
    assert.deepEqual(await acceptFrom('bot'), { ok: false, error: { type: 'bot_visitor' } });
    assert.equal(waits(), 0);
  });

  it('records one of 64 concurrent requests with one key, and gives all the same answer', async () => {
    const { acceptFrom, directory, rows } = open();
    directory.remember('site_1', 'ada', PERSON);
    const claim = { key: 'sixty-four', bodyDigest: 'a' };
    const all = await Promise.all(Array.from({ length: 64 }, () => acceptFrom('ada', claim)));
    const answers = all.map((accepted) => (accepted.ok ? accepted.value : undefined));
    assert.equal(new Set(answers.map((accepted) => accepted?.answer)).size, 1);
    assert.equal(answers.filter((accepted) => accepted?.replayed === false).length, 1);
    assert.deepEqual(rows, [], 'it ships from the ledger');
    assert.deepEqual(await acceptFrom('ada', { key: 'sixty-four', bodyDigest: 'b' }), {
      ok: false,
      error: { type: 'idempotency_conflict' },
    });
  });
});
