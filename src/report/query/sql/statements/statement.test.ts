import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DIMENSION_NAMES, METRICS } from '../../../catalog.ts';
import { parseQuery } from '../../parse/parse-query.ts';
import { planQuery } from '../../plan/plan-query.ts';
import { toFileStatement } from './file-statement.ts';
import { toCountStatement, toStatement } from './statement.ts';

/** A site for which everything must be looked up. */
const HAS_ALL = {
  payments: true,
  costs: true,
  money: { hasUnconverted: true, hasLate: true, hasUnconvertedCosts: true, ratesUntil: undefined },
  persons: true,
  visits: 1,
};
const NOW = Date.parse('2026-11-21T11:00:00Z');

describe('a statement', () => {
  /** Every free text of a caller contains this marker. */
  const mark = 'qq';
  const text = fc.string().map((any) => `${any}${mark}'`);
  const dimension = fc.constantFrom(
    ...DIMENSION_NAMES.map((name) => name.replace('NAME', `x${mark}`)),
  );
  const visitDimension = fc.constantFrom(...DIMENSION_NAMES.filter((name) => /^visit:/.test(name)));
  const filter = fc.tuple(
    fc.constantFrom(
      ...['is', 'is_not', 'contains', 'contains_not', 'matches', 'matches_not'],
      ...['matches_wildcard', 'matches_wildcard_not'],
    ),
    fc.oneof(visitDimension, fc.constant(`event:props:x${mark}`)),
    fc.array(text, { minLength: 1, maxLength: 3 }),
    fc.record({ case_sensitive: fc.boolean() }),
  );
  const behaviour = fc
    .tuple(
      fc.constantFrom('is', 'matches'),
      fc.constant('event:page'),
      fc.array(text, { minLength: 1 }),
    )
    .map((test) => ['has_done', test]);

  it('holds nothing that a caller wrote: values are bound, names come from our own files', () => {
    const query = fc.record({
      site_id: text,
      metrics: fc.uniqueArray(fc.constantFrom(...METRICS.keys()), { minLength: 1 }),
      dimensions: fc.uniqueArray(dimension, { maxLength: 3 }),
      filters: fc.array(fc.oneof(filter, behaviour), { maxLength: 3 }),
      date_range: fc.constantFrom('7d', 'month'),
    });
    let answered = 0;
    fc.assert(
      fc.property(query, text, (any, siteId) => {
        const site = { id: siteId, timezone: 'Europe/Berlin', currency: `E${mark}` };
        const query = parseQuery(any, site, { now: NOW });
        if (!query.ok) return;
        answered += 1;
        const page = { ...query.value.page, after: query.value.order.map(() => mark) };
        const asked = planQuery({ ...query.value, page }, HAS_ALL);
        const statements = [toStatement, toCountStatement, toFileStatement].map((to) =>
          to(asked, NOW),
        );
        for (const { sql, params } of statements) {
          assert.ok(!sql.includes(mark), sql);
          assert.ok(JSON.stringify(params).includes(mark));
        }
      }),
    );
    assert.ok(answered > 10);
  });

  it('is the same for the same query', () => {
    const sent = { site_id: 'a', metrics: ['visitors', 'revenue'], date_range: '7d' };
    const site = { id: 'a', timezone: 'UTC', currency: 'EUR' };
    const [one, two] = [1, 2].map(() => {
      const query = parseQuery(sent, site, { now: NOW });
      return query.ok ? toStatement(planQuery(query.value, HAS_ALL), NOW) : undefined;
    });
    assert.deepEqual(one, two);
  });
});
