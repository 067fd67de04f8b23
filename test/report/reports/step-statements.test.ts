import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Step, Within } from '#contract/step.ts';
import { planReport } from '#report/query/plan/plan-scope.ts';
import type { BaseQuery } from '#report/query/query.ts';
import { toFunnelStatement } from '#report/reports/funnel/funnel-statement.ts';
import { parseFunnel } from '#report/reports/funnel/parse-funnel.ts';
import { toJourneysStatement } from '#report/reports/journeys/journeys-statement.ts';
import { parseJourneys } from '#report/reports/journeys/parse-journeys.ts';
import { parsePurchasePaths } from '#report/reports/purchase-paths/parse-purchase-paths.ts';
import { toPurchasePathsStatement } from '#report/reports/purchase-paths/purchase-paths-statement.ts';
import { type Planned, parseReport } from '#report/reports/report-kind.ts';

const NOW = Date.parse('2026-11-21T11:00:00Z');
/** A site on which everything must be looked for. */
const HAS_ALL = {
  ...{ payments: true, foreignMoney: true, uncertainMoney: true, persons: true },
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
        const funnel = parseReport(parseFunnel, { ...about, within, by, steps }, site, clock);
        const journeys = parseReport(
          parseJourneys,
          { ...about, within, by, from, fold: [fold] },
          site,
          clock,
        );
        const paths = parseReport(parsePurchasePaths, about, site, clock);
        assert.ok(funnel.ok && journeys.ok && paths.ok, JSON.stringify([funnel, journeys, paths]));
        const statements = [
          toFunnelStatement(planned(funnel.value)),
          toJourneysStatement(planned(journeys.value)),
          toPurchasePathsStatement(planned(paths.value)),
        ];
        for (const { sql, params } of statements) {
          assert.ok(!sql.includes(MARK), sql);
          assert.ok(JSON.stringify(params).includes(MARK));
        }
      }),
    );
  });
});
