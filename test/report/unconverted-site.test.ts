import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UnavailableError } from '#domain/unavailable.ts';
import type { ReportWarehouse } from '#report/ports.ts';
import { createReports } from '#report/reports/create-reports.ts';

const SITE = { id: 'site_1', timezone: 'UTC', currency: 'EUR' };

describe('a site whose rows are from before they had money', () => {
  it('is not asked about, and the answer says how far its conversion is', async () => {
    const warehouse = {} as ReportWarehouse; // Nobody asks it.
    const { breakdowns } = createReports({ warehouse, now: Date.now });
    const site = { ...SITE, shown: undefined, converting: { converted: 40_000, payments: 90_000 } };
    const sent = { site_id: SITE.id, date_range: 'day', metrics: ['gross_revenue'] };
    await assert.rejects(breakdowns.answer(site, sent), (error) => {
      assert.ok(error instanceof UnavailableError);
      assert.match(error.message, /payments are converted once: 40,000 of 90,000 are done/);
      return true;
    });
  });
});
