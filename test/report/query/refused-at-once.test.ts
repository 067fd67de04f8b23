import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createReports } from '#report/reports/create-reports.ts';

const SITE = { id: 'site_a', timezone: 'Europe/Berlin', currency: 'EUR' };
const NOBODY = { searchPersons: async () => [] };

describe('a query that is wrong, while all turns are taken and nothing is answered', () => {
  const never = () => new Promise<never>(() => {});
  const {
    breakdowns: report,
    funnel,
    people: peopleOf,
  } = createReports({
    warehouse: { select: never, selectFile: never },
    now: () => Date.parse('2026-11-21T12:00:00Z'),
  });
  const people = peopleOf(NOBODY as unknown as Parameters<typeof peopleOf>[0]);
  const asked = { site_id: SITE.id, metrics: ['visitors'], date_range: '7d' };
  for (let day = 1; day < 20; day += 1) {
    // They wait in vain, and say so long after the tests.
    report.answer(SITE, { ...asked, date_range: `${day}d` }).catch(() => {});
  }
  const sight = { isPersonal: false };
  const wrong = {
    '/metrics/0': () => report.answer(SITE, { ...asked, metrics: ['nonsense'], date_range: 'all' }),
    '/filters/0/1': () =>
      report.answer(SITE, { ...asked, date_range: 'all', filters: [['is', 'nonsense', ['a']]] }),
    '/include/compare': () =>
      report.answerFile(SITE, { ...asked, include: { compare: 'previous_period' } }, 'Parquet'),
    '/timezone': () =>
      people.visitors.answer(SITE, { ...asked, ...sight, date_range: 'all', timezone: 'Mars/X' }),
    '/pagination/cursor': () =>
      people.persons.answer(SITE, { ...asked, ...sight, pagination: { cursor: 'abc' } }),
    '/filters/0': () => {
      const steps = [{ type: 'page', path: '/' } as const, { type: 'payment' } as const];
      return funnel.answer(SITE, { ...asked, date_range: 'all', filters: [['is']], steps });
    },
  };
  for (const [path, ask] of Object.entries(wrong)) {
    it(`is told so at once: ${path}`, async () => {
      const answer = await ask();
      assert.ok(!answer.ok);
      assert.equal(answer.error.details[0]?.path, path);
    });
  }
});
