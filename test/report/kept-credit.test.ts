import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { EventRow } from '#contract/event-row.ts';
import type { Query } from '#contract/query.ts';
import type { ReportWarehouse } from '#report/ports.ts';
import { createQuestions } from '#report/questions.ts';
import { createPayerSettler } from '#warehouse/settle-payers.ts';
import { createVisitSettler } from '#warehouse/settle-visits.ts';
import {
  openWorldWarehouse,
  type WorldPayment,
  type WorldWarehouse,
} from '../worlds/open-warehouse.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const FIRST_DAY = Date.UTC(2026, 10, 1);
const DAYS = 8;
/** The end of the last day that is settled, a day and a half before the present. */
const NOW = FIRST_DAY + (DAYS - 0.5) * DAY_MS;
/** How many sites are drawn; thousands before a release. */
const SITES = Number(process.env.KEPT_SITES ?? 24);
const SITES_AT_ONCE = 12;

let world: WorldWarehouse;
before(async () => {
  world = await openWorldWarehouse();
});
after(() => world.close());

const anyVisitor = fc.constantFrom('ann', 'bob', 'cat', 'dan', 'eve');
/** Often just about midnight, where clocks of visitors make visits begin before their day. */
const anyAt = fc.oneof(
  fc.integer({ min: 0, max: DAYS * 24 - 1 }).map((hours) => FIRST_DAY + hours * HOUR_MS),
  fc.integer({ min: 1, max: DAYS - 1 }).map((day) => FIRST_DAY + day * DAY_MS + 60_000),
);
const isLate = fc.integer({ min: 0, max: 9 }).map((number) => number === 0);
const anyEvent = fc.record({
  type: fc.constantFrom('pageview' as const, 'pageview' as const, 'goal' as const),
  afterMs: fc.integer({ min: -120_000, max: 600_000 }),
  path: fc.constantFrom('/', '/a', '/b', ''),
  source: fc.constantFrom('', 'Google', 'News'),
  isBot: fc.integer({ min: 0, max: 11 }).map((number) => number === 0),
  isLate,
});
const anyVisit = fc.record({
  visitor: anyVisitor,
  startedAt: anyAt,
  events: fc.uniqueArray(anyEvent, { minLength: 1, maxLength: 3, selector: (e) => e.afterMs }),
  isLate,
});
const anyPayment = fc.record({
  visitor: fc.oneof(anyVisitor, fc.constant('')),
  at: anyAt,
  isRefund: fc.boolean(),
  isLate: fc.boolean(),
});
const anyJoin = fc.record({
  visitors: fc.tuple(anyVisitor, anyVisitor),
  transaction: fc.option(fc.nat(7)),
  isLate: fc.boolean(),
});
const anyQuestion = fc.record({
  ends: fc.tuple(anyAt, anyAt).filter(([a, b]) => a !== b),
  dimensions: fc.constantFrom(
    ['visit:source'],
    ['event:page'],
    ['event:goal'],
    ['visit:source', 'event:page'],
    ['event:goal', 'time:day'],
    ['visitor:first_source'],
    ['visitor:first_source', 'visit:source', 'payment:country'],
  ),
  metrics: fc.constantFrom(
    ['revenue', 'payments'],
    ['revenue', 'payments'],
    ['revenue', 'visits_to_purchase', 'customers', 'new_customers'],
  ),
  filters: fc.constantFrom<Query['filters']>(
    [],
    [],
    [['is', 'visit:source', ['Google', 'Direct']]],
    [['is', 'event:page', ['/a']]],
    [['has_done', ['is', 'event:goal', ['goal/']]]],
    [['is_not', 'visitor:first_source', ['News']]],
  ),
});
/** Of half of the sites nothing comes late, so that all that is kept holds. */
const anySite = fc.record({
  isStill: fc.boolean(),
  visits: fc.array(anyVisit, { minLength: 1, maxLength: 8 }),
  payments: fc.array(anyPayment, { minLength: 1, maxLength: 8 }),
  joins: fc.array(anyJoin, { maxLength: 2 }),
  question: anyQuestion,
});
type Site = typeof anySite extends fc.Arbitrary<infer S> ? S : never;

describe('credit from first visits that are kept', () => {
  it('is that from all visits, whatever came after they were found, to the cent', async () => {
    let sites = 0;
    const asked = { kept: 0, times: 0 };
    const some = fc.array(anySite, { minLength: SITES_AT_ONCE, maxLength: SITES_AT_ONCE });
    await fc.assert(
      fc.asyncProperty(some, async (drawn) => {
        const named = drawn.map((site) => ({ ...site, id: `site_kept_${++sites}` }));
        await add(named, false);
        await createVisitSettler(world.warehouse, () => NOW).run();
        await createPayerSettler(world.warehouse, () => NOW, { eventsMin: 1 }).run();
        await add(named, true);
        for (const { id, question } of named) {
          const kept = await ask(id, question, asked);
          assert.deepEqual(kept, await ask(id, question), JSON.stringify({ id, question }));
        }
      }),
      { numRuns: SITES / SITES_AT_ONCE },
    );
    assert.ok(asked.kept > asked.times / 4, `${asked.kept} of ${asked.times} from what is kept`);
  });
});

/** What of the sites comes early, or late. */
async function add(sites: readonly (Site & { readonly id: string })[], isLate: boolean) {
  await world.addEvents(sites.flatMap((site) => toEvents(site, isLate)));
  await world.addPayments(sites.flatMap((site) => toPayments(site, isLate)));
  const persons = sites.flatMap((site) => toPersons(site, isLate));
  if (persons.length > 0) await world.addPersons(persons);
}

function toEvents(
  { id, visits, isStill }: Site & { readonly id: string },
  isLate: boolean,
): EventRow[] {
  return visits.flatMap((visit, index) =>
    visit.events
      .filter((event) => (!isStill && (event.isLate || visit.isLate)) === isLate)
      .map((event) => ({
        site_id: id,
        occurred_at: visit.startedAt + event.afterMs,
        accepted_at: visit.startedAt + event.afterMs,
        event_id: crypto.randomUUID(),
        type: event.type,
        visitor_id: visit.visitor,
        visit_id: `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`,
        visit_started_at: visit.startedAt,
        path: event.path,
        name: event.type === 'goal' ? `goal${event.path}` : '',
        source: event.source,
        bot_class: event.isBot ? 'declared' : '',
      })),
  );
}

function toPayments(site: Site & { readonly id: string }, isLate: boolean): WorldPayment[] {
  return site.payments.flatMap((payment, index) => {
    if ((!site.isStill && payment.isLate) !== isLate) return [];
    const row = {
      site_id: site.id,
      kind: 'payment',
      transaction_id: `t${index}`,
      occurred_at: payment.at,
      paid_at: payment.at,
      amount_minor: BigInt(100 + 7 ** index),
      currency: 'EUR',
      visitor_id: payment.visitor,
    } as const;
    return payment.isRefund
      ? [row, { ...row, kind: 'refund', original_transaction_id: `t${index}`, amount_minor: 33n }]
      : [row];
  });
}

/** Persons as the ledger names them: of two that are joined, the first keeps its name. */
function toPersons(site: Site & { readonly id: string }, isLate: boolean) {
  const nameOf = new Map<string, string>();
  const rows: (readonly [kind: string, key: string, person: string, siteId: string])[] = [];
  const joins = site.joins.map((join) => ({ ...join, isLate: !site.isStill && join.isLate }));
  for (const join of joins.toSorted((a, b) => Number(a.isLate) - Number(b.isLate))) {
    const [kept = '', gone = ''] = join.visitors.map((visitor) => nameOf.get(visitor) ?? visitor);
    for (const visitor of ['ann', 'bob', 'cat', 'dan', 'eve']) {
      if ((nameOf.get(visitor) ?? visitor) !== gone || kept === gone) continue;
      nameOf.set(visitor, kept);
      if (join.isLate === isLate) rows.push(['visitor', visitor, kept, site.id]);
    }
    if (join.transaction === null || join.isLate !== isLate) continue;
    rows.push(['transaction', `t${join.transaction}`, kept, site.id]);
  }
  return rows;
}

/** The answer; from what is kept when `asked` counts how often it could be. */
async function ask(
  siteId: string,
  question: Site['question'],
  asked?: { kept: number; times: number },
): Promise<unknown> {
  let isKept = false;
  const warehouse: ReportWarehouse = {
    ...world.warehouse,
    async select<Row>(statement: { readonly sql: string }) {
      if (asked === undefined && statement.sql.includes('payers_runs')) return [];
      if (statement.sql.includes('credit_at')) {
        isKept ||= statement.sql.includes('FROM payers_first_visits');
      }
      return world.warehouse.select<Row>(statement);
    },
  };
  const site = { id: siteId, timezone: 'UTC', currency: 'EUR' };
  const instant = (at: number) => new Date(at).toISOString();
  const { report } = createQuestions({ warehouse, now: () => NOW });
  const answer = await report.answer(site, {
    site_id: siteId,
    metrics: [...question.metrics],
    dimensions: [...question.dimensions],
    filters: question.filters ?? [],
    date_range: [instant(Math.min(...question.ends)), instant(Math.max(...question.ends))],
    pagination: { limit: 100 },
  });
  assert.ok(answer.ok, JSON.stringify(answer));
  if (asked !== undefined) {
    asked.times += 1;
    asked.kept += isKept ? 1 : 0;
  }
  return answer.value.results;
}
