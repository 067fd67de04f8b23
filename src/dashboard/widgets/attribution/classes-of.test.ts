import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toClasses, toTimeLabel, toVisitsLabel } from './classes-of.ts';

describe('classes of customers', () => {
  const bucket = (from: number, below: number | null, customers: number, value: string) => ({
    ...{ from, below, customers },
    revenue: { value, currency: 'EUR' },
  });

  it('have bars as long as their share of the largest', () => {
    const classes = toClasses(
      [bucket(1, 2, 8, '50.00'), bucket(2, 3, 4, '100.00'), bucket(3, null, 0, '-5.00')],
      toVisitsLabel,
    );
    assert.deepEqual(
      classes.map(({ label, customersLength, revenueLength }) => [
        label,
        customersLength,
        revenueLength,
      ]),
      [
        ['1 visit', 1, 0.5],
        ['2 visits', 0.5, 1],
        ['3 or more', 0, 0],
      ],
    );
  });

  it('say spans of time shortly', () => {
    const bounds = [0, 3_600, 86_400, 259_200, 7_776_000, null];
    assert.deepEqual(
      bounds.slice(0, -1).map((from, index) => toTimeLabel(from ?? 0, bounds[index + 1] ?? null)),
      ['under 1 hour', '1 hour – 1 day', '1–3 days', '3–90 days', '90 days or more'],
    );
  });

  it('say numbers of visits shortly', () => {
    assert.equal(toVisitsLabel(6, 11), '6–10 visits');
    assert.equal(toVisitsLabel(11, null), '11 or more');
  });
});
