import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { addCaller } from '../../server/caller.ts';
import { waitUntil } from '../../server/wait-until.ts';
import { findFaults, findFaultsDayAndNight } from './find-faults.ts';
import { DEMO, type OpenDashboard, openSignedIn } from './open-dashboard.ts';
import { shareDashboard } from './share-dashboard.ts';
import { findCut } from './steps/find-cut.ts';

describe('the payments of a site', () => {
  let dashboard: OpenDashboard;
  before(async () => {
    dashboard = await shareDashboard();
  });
  after(() => dashboard?.close());

  it('are listed, and each is explained, by day and by night', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/payments`);
    const rows = page.getByRole('row');
    await rows.nth(1).waitFor();
    assert.deepEqual(await findFaultsDayAndNight(page), []);
    await rows.nth(1).getByRole('link').click();
    await page.getByRole('heading', { name: 'Path to this payment' }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.deepEqual(await findFaultsDayAndNight(page), []);
  });

  for (const [locale, ...widths] of [
    ['en-US', 1_440, 768],
    ['pt-BR', 768],
  ] as const) {
    it(`show when each was paid in full, in ${locale} at ${widths.join(' and ')} px`, async () => {
      const page = await openSignedIn(dashboard.browser, dashboard.server, { locale });
      await page.goto(`/${DEMO}/payments?period=all`);
      const times = page.locator('tbody th:first-child');
      await times.first().waitFor();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await findCut(times), [], `${width} px`);
      }
      await page.context().close();
    });
  }

  it('say on hover when each was paid; the period has no days on a phone', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/payments`);
    const time = page.locator('tbody time').first();
    assert.match((await time.getAttribute('title')) ?? '', /^\d+ \w+ 20\d\d, \d\d:\d\d$/);
    const days = page.getByRole('button', { name: /^Period:/ }).locator('small');
    assert.equal(await days.isVisible(), true);
    await page.setViewportSize({ width: 360, height: 740 });
    assert.equal(await days.isVisible(), false);
    await page.setViewportSize({ width: 1_440, height: 900 });
  });

  it('break an e-mail address where its domain begins', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/payments?search=customer.`); // Other files pay without an address.
    await page.getByRole('row').nth(1).getByRole('link').click();
    const email = page.getByLabel('Facts').getByText(/^customer\.\w+@example\.org$/);
    await email.waitFor();
    const broken: number[] = [];
    for (const width of [1_440, 1_280, 1_100, 900, 768, 360]) {
      await page.setViewportSize({ width, height: 900 });
      if (await email.evaluate(breaksInDomain)) broken.push(width);
    }
    await page.setViewportSize({ width: 1_440, height: 900 });
    assert.deepEqual(broken, []);
  });

  it('have totals by status, which lead to those payments, and refunds have their dates', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/payments?period=all`);
    const totals = page.getByLabel('Totals of the period').getByRole('button');
    const refunded = totals.filter({ hasText: /^Refunded/ });
    const count = Number((await refunded.locator('b').innerText()).replaceAll(',', ''));
    assert.ok(count > 0);
    await refunded.click();
    await page.waitForURL('**state=refunded**');
    await page.getByRole('button', { name: 'State: Refunded' }).waitFor();
    await waitUntil(
      async () => [await totals.count(), await page.locator('tbody tr').count()],
      ([shown, rows]) => shown === 1 && rows === Math.min(count, 50),
    );
    assert.match(await page.locator('tbody tr').first().innerText(), / back on \w/);
  });

  it('are those of the period, and found in it by part of an id', async () => {
    const { page } = dashboard;
    const rows = page.getByRole('row');
    await page.goto(`/${DEMO}/payments?period=all`);
    await rows.nth(1).waitFor();
    const id = (await rows.last().getByRole('link').getAttribute('title')) ?? '';
    await page.goto(`/${DEMO}/payments?period=custom&from=2020-01-01&to=2020-01-02`);
    await page.getByText('No payments in this period').waitFor();
    await page.getByLabel('Search payments').fill(id.slice(1, -1));
    await page.getByText('No payment in this period matches.').waitFor();
    await page.getByRole('button', { name: 'Look in all time' }).click();
    await page.waitForURL('**period=all**');
    await page
      .getByRole('link', { name: /./ })
      .and(page.locator(`[title="${id}"]`))
      .waitFor();
  });

  it('are filtered by a click on a source, and saved with that filter', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/payments?period=all`);
    await page.getByRole('button', { name: 'Google', exact: true }).first().click();
    await page.waitForURL('**f=is,visit:source,Google');
    const sources = page.locator('tbody td:nth-child(4)');
    await waitUntil(
      () => sources.allInnerTexts(),
      (texts) => texts.length > 0 && texts.every((text) => text.startsWith('Google')),
    );
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const lines = readFileSync(await (await saving).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    assert.equal(lines.length - 1, await sources.count());
    await page.getByRole('button', { name: 'Source is Google' }).click();
    await page.waitForURL(`**/${DEMO}/payments?period=all`);
  });

  it('that were refunded in the period are found by the day of the refund', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/payments?period=all&state=refunded`);
    const back = page.locator('tbody small').filter({ hasText: ' back on ' });
    await back.first().waitFor();
    await page.locator('tbody tr').first().getByRole('link').click();
    const line = page.getByLabel('Path to this payment').getByRole('listitem');
    await line.filter({ hasText: 'Refunded' }).first().waitFor();
    await page.goto(`/${DEMO}/payments?period=all`);
    await page.getByRole('button', { name: /^State/ }).click();
    await page.getByRole('menuitemradio', { name: 'Refunds made in the period' }).click();
    await page.waitForURL('**state=refunds');
    await waitUntil(
      async () => [await page.locator('tbody tr').count(), await back.count()],
      ([rows, refunds]) => rows !== 0 && rows === refunds,
    );
  });

  it('outside the window are unattributed for that reason, until all visits count', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}?period=all&model=last_touch&window=7`);
    const why = page.getByRole('link', { name: /^Unattributed · \d+ payments, why\?/ }).first();
    const [count = ''] = /\d+/.exec((await why.textContent()) ?? '') ?? [];
    await why.click();
    const rows = page.getByRole('row');
    await rows.nth(1).waitFor();
    const more = page.getByRole('button', { name: 'Show more' });
    for (let shown = 0; shown < Number(count); shown = (await rows.count()) - 1) {
      if (shown > 0) await more.click();
      await page.waitForLoadState('networkidle');
    }
    assert.equal((await rows.count()) - 1, Number(count));
    await rows.filter({ hasText: 'Too long ago' }).first().getByRole('link').click();
    await page.getByText('No visits are known in the 7 days before this payment.').waitFor();
    await page.getByRole('button', { name: 'Count visits for all time' }).click();
    await page.getByRole('heading', { name: 'Attributed' }).waitFor();
    await page.getByLabel('Path to this payment').getByRole('listitem').first().waitFor();
  });

  it('show their path once their visitor is set', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/payments?period=all&state=attributed`);
    await page.getByRole('row').last().getByRole('link').click();
    const visitor = await page.getByLabel('Facts').locator('a[href*="/people/"]').textContent();
    const path = page.getByLabel('Path to this payment').getByRole('listitem');
    await path.first().waitFor();
    await page.goto(`/${DEMO}/payments?period=all&state=no_visitor`);
    await page.getByRole('row').nth(1).getByRole('link').click();
    await page.getByRole('button', { name: 'Set the visitor' }).click();
    await page.getByLabel('Visitor', { exact: true }).fill('mistyped');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Set the visitor' }).click();
    await dialog.getByText('Nothing is recorded for visitor mistyped.').waitFor();
    await dialog.getByRole('button', { name: 'Set it anyway' }).waitFor();
    await page.getByLabel('Visitor', { exact: true }).fill((visitor ?? '').slice(1));
    await dialog.getByRole('listitem').getByRole('button').first().click();
    assert.equal(await page.getByLabel('Visitor', { exact: true }).inputValue(), visitor);
    await dialog.getByRole('button', { name: 'Set the visitor' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Attributed' }).waitFor();
    await path.first().waitFor();
  });

  it('without an exchange rate are said to be in no revenue, there and above the figures', async () => {
    const { page, server } = dashboard;
    const shop = await addCaller(server.url, server.dataDir, 'dinars.example');
    const paid = { transaction_id: 'd1', amount: 12.5, currency: 'KWD' };
    assert.equal((await shop.payment(paid)).status, 200);
    await waitUntil(
      async () => (await shop.query({ metrics: ['payments'] })).body,
      (body) => JSON.stringify(body).includes('"metrics":[1]'),
    );
    for (const path of ['', '/payments']) {
      await page.goto(`/dinars.example${path}`);
      await page.getByText(/^Revenue does not include KWD.12\.500/).waitFor();
    }
  });

  it('can be compared under two models', async () => {
    const { page } = dashboard;
    await page.goto(`/${DEMO}/attribution`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Organic Search').first().waitFor();
    assert.deepEqual(await findFaults(page), []);
    await page.getByRole('button', { name: 'Direct' }).click();
    await page.waitForURL('**/attribution?f=is,visit:channel,Direct');
  });
});

/** Whether what comes after the `@` of an address takes more than one line. */
function breaksInDomain(element: unknown): boolean {
  const { lastChild, ownerDocument } = element as {
    readonly lastChild: { readonly data: string };
    readonly ownerDocument: { createRange(): AnyRange };
  };
  const range = ownerDocument.createRange();
  range.setStart(lastChild, lastChild.data.indexOf('@') + 1);
  range.setEnd(lastChild, lastChild.data.length);
  return range.getClientRects().length > 1;
}

type AnyRange = {
  setStart(node: unknown, at: number): void;
  setEnd(node: unknown, at: number): void;
  getClientRects(): { readonly length: number };
};
