import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Step, Within } from '#contract/step.ts';
import type { Bind } from '#report/dimension.ts';
import { type Planned, parseReport } from '#report/query/answer/report-kind.ts';
import { planReport } from '#report/query/plan/plan-fact.ts';
import type { BaseQuery } from '#report/query/query.ts';
import { createBindings } from '#report/query/sql/rows.ts';
import { funnel } from '#report/reports/funnel.ts';
import { journeys } from '#report/reports/journeys/journeys.ts';
import { paymentPaths } from '#report/reports/purchase-paths.ts';

const NOW = Date.parse('2026-11-21T11:00:00Z');
/** A site on which everything must be looked for. */
const HAS_ALL = {
  ...{
    payments: true,
    costs: false,
    money: {
      hasUnconverted: true,
      hasLate: true,
      hasUnconvertedCosts: false,
      ratesUntil: undefined,
    },
    persons: true,
  },
  ...{ visits: 1, earliestAt: undefined },
};

function planned<Parsed extends { readonly query: BaseQuery }>(parsed: Parsed): Planned<Parsed> {
  return { ...parsed, facts: HAS_ALL, now: NOW, plan: planReport(parsed.query, HAS_ALL) };
}

/** Everything that a caller writes freely holds this mark. */
const MARK = 'qq';
const text = fc.string({ maxLength: 20 }).map((any) => `${any.replaceAll('*', '')}${MARK}'`);
const path = fc.tuple(text, fc.constantFrom('', '*', '**', '*x')).map(([a, b]) => `/${a}${b}`);
const step: fc.Arbitrary<Step> = fc.oneof(
  path.map((each) => ({ type: 'page' as const, path: each })),
  fc.constantFrom(`${MARK}`, `${MARK}*`).map((name) => ({ type: 'goal' as const, name })),
  fc.constant({ type: 'payment' as const }),
);
const filter = fc.oneof(
  fc.tuple(
    fc.constantFrom('is', 'matches', 'contains_not', 'matches_wildcard'),
    fc.constantFrom('visit:source', 'visitor:first_source', 'event:page', `event:props:x${MARK}`),
    fc.array(text, { minLength: 1, maxLength: 2 }),
  ),
  text.map((each) => ['has_done', ['is', 'event:page', [each]]]),
);
const asked = fc.record({
  site_id: text,
  date_range: fc.constantFrom('7d', 'month'),
  filters: fc.array(filter, { maxLength: 2 }),
  within: fc.constantFrom<Within>('visit', { days: 7 }),
  by: fc.constantFrom('person' as const, 'visitor' as const),
});

describe('statements of funnels, journeys and ways to purchases', () => {
  it('hold nothing that a caller wrote', () => {
    const site = { id: `site ${MARK}'`, timezone: 'Europe/Berlin', currency: 'EUR' };
    const clock = { now: NOW };
    const all = fc.tuple(asked, fc.array(step, { minLength: 2, maxLength: 8 }), path);
    fc.assert(
      fc.property(all, ([{ within, by, ...about }, steps, fold]) => {
        const [from = { type: 'payment' as const }] = steps;
        const sent = { ...about, within, by };
        const parsed = [
          parseReport(funnel.parse, { ...sent, steps }, site, clock),
          parseReport(journeys.parse, { ...sent, from, fold: [fold] }, site, clock),
          parseReport(paymentPaths.parse, about, site, clock),
        ] as const;
        const [first, second, third] = parsed;
        assert.ok(first.ok && second.ok && third.ok, JSON.stringify(parsed));
        const statements = [
          (bind: Bind) => funnel.toSql(planned(first.value), bind),
          (bind: Bind) => journeys.toSql(planned(second.value), bind),
          (bind: Bind) => paymentPaths.toSql(planned(third.value), bind),
        ];
        for (const toSql of statements) {
          const { bind, params } = createBindings();
          const sql = toSql(bind);
          assert.ok(sql !== undefined);
          assert.ok(!sql.includes(MARK), sql);
          assert.ok(JSON.stringify(params).includes(MARK));
        }
      }),
    );
  });
});
