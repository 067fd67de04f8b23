import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFile as read } from './read-file.ts';

describe('Stripe’s export of payments', () => {
  const HEADER =
    'id,Created date (UTC),Amount,Amount Refunded,Currency,Captured,Fee,Mode,PaymentIntent ID,Refunded date (UTC),Status,Description,Customer ID,Customer Email,service_visitor_id (metadata)';
  const row = (cells: string) => `${HEADER}\n${cells}\n`;

  it('gives payments by their PaymentIntent, with the visitor of the metadata', async () => {
    const text = row(
      'ch_1,2026-06-05 20:38:34,"1,125.00",0.00,usd,true,90.93,Live,pi_1,,Paid,Subscription update,cus_1,Ann@example.com,v-1',
    );
    const found = await read(text);
    assert.equal(found.format, 'Stripe’s export of payments');
    assert.deepEqual(found.reports, [
      'payment pi_1 112500 USD 2026-06-05T20:38:34.000Z v-1 ann@example.com cus_1 renewal',
    ]);
    assert.deepEqual([found.faults, found.ignored], [[], ['Fee']]);
  });

  it('gives refunds of their day, decimal commas and currencies without cents', async () => {
    const found = await read(
      row(
        `ch_1,2026-06-05 20:38,"10,00","2,50",eur,true,,,,2026-06-07 10:00:00,Refunded,,,,
ch_2,2026-06-05 20:38,1500,1500,jpy,true,,,,,Refunded,,,,`,
      ),
    );
    assert.deepEqual(found.reports, [
      'payment ch_1 1000 EUR 2026-06-05T20:38:00.000Z',
      'refund ch_1 250 EUR 2026-06-07T10:00:00.000Z',
      'payment ch_2 1500 JPY 2026-06-05T20:38:00.000Z',
      'refund ch_2 1500 JPY 2026-06-05T20:38:00.000Z',
    ]);
  });

  it('leaves out what was not paid, and refuses a status that nobody knows', async () => {
    const found = await read(
      row(
        `ch_1,2026-06-05 20:38,10,0,eur,true,,,,,Failed,,,,
ch_2,2026-06-05 20:38,10,0,eur,false,,,,,Paid,,,,
ch_3,2026-06-05 20:38,10,0,eur,true,,Test,,,Paid,,,,
ch_4,2026-06-05 20:38,10,0,eur,true,,,,,Teleported,,,,`,
      ),
    );
    assert.deepEqual(found.reports, []);
    assert.deepEqual(found.leftOut, ['1 status failed', '1 not captured', '1 made in test mode']);
    assert.match(`${found.faults}`, /^5 Status must be one of paid, /);
  });
});

describe('Stripe’s itemised balance report', () => {
  it('gives charges as the customer paid them, refunds and disputes of them, and nothing else', async () => {
    const found = await read(
      `balance_transaction_id,created_utc,currency,gross,fee,reporting_category,source_id,charge_id,payment_intent_id,customer_facing_amount,customer_facing_currency,customer_email,payment_metadata[visitor_id]
txn_1,2026-06-05 20:38:34,eur,18.40,0.90,charge,ch_1,ch_1,pi_1,20.00,usd,ann@example.com,v-1
txn_2,2026-06-05 20:38:34,eur,10.00,0.90,charge,ch_2,ch_2,,,,,
txn_3,2026-06-06 20:38:34,eur,-4.00,0,refund,re_2,ch_2,,,,,
txn_4,2026-06-07 20:38:34,eur,-6.00,0,dispute,dp_2,ch_2,,,,,
txn_5,2026-06-07 20:38:34,eur,-20.00,0,payout,po_2,,,,,,
`,
    );
    assert.equal(found.format, 'Stripe’s itemised balance report');
    assert.deepEqual(found.reports, [
      'payment pi_1 2000 USD 2026-06-05T20:38:34.000Z v-1 ann@example.com',
      'payment ch_2 1000 EUR 2026-06-05T20:38:34.000Z',
      'refund re_2 of ch_2 400 EUR 2026-06-06T20:38:34.000Z',
      'refund dp_2 of ch_2 600 EUR 2026-06-07T20:38:34.000Z',
    ]);
    assert.deepEqual(found.leftOut, ['1 category payout']);
  });
});

describe('PayPal’s activity download', () => {
  const HEADER =
    '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net","From Email Address","To Email Address","Transaction ID","Item Title","Reference Txn ID","Custom Number","Balance Impact"';
  const line = (date: string, type: string, gross: string, more: Record<string, string> = {}) => {
    const { status = 'Completed', id = 'TX1', of = '', zone = 'CEST', custom = '' } = more;
    const cells = [date, '9:30:00', zone, 'Ann', type, status, 'EUR', gross, '0,00', gross];
    return [...cells, 'ann@example.com', 'shop@example.com', id, 'Tea', of, custom, 'Credit']
      .map((cell) => `"${cell}"`)
      .join(',');
  };
  const file = (...lines: readonly string[]) => `\uFEFF${[HEADER, ...lines].join('\r\n')}\r\n`;

  it('gives payments, refunds and disputes by their signs, with localized numbers', async () => {
    const found = await read(
      file(
        line('13/06/2026', 'Express Checkout Payment', '1.234,50', { custom: 'v-1' }),
        line('14/06/2026', 'Subscription Payment', '5,00', { id: 'TX2', of: 'I-ABC' }),
        line('15/06/2026', 'Payment Refund', '-34,50', { id: 'TX3', of: 'TX1' }),
        line('16/06/2026', 'Chargeback', '-5,00', { id: 'TX4', of: 'TX2' }),
      ),
    );
    assert.equal(found.format, 'PayPal’s activity download');
    assert.deepEqual(found.reports, [
      'payment TX1 123450 EUR 2026-06-13T07:30:00.000Z v-1 ann@example.com Tea',
      'payment TX2 500 EUR 2026-06-14T07:30:00.000Z ann@example.com I-ABC Tea',
      'refund TX3 of TX1 3450 EUR 2026-06-15T07:30:00.000Z',
      'refund dispute:TX2 of TX2 500 EUR 2026-06-16T07:30:00.000Z',
    ]);
  });

  it('leaves out what is no payment of a customer', async () => {
    const found = await read(
      file(
        line('13/06/2026', 'General Payment', '-5,00'),
        line('13/06/2026', 'General Currency Conversion', '5,00'),
        line('13/06/2026', 'Payment Review Hold', '-5,00'),
        line('13/06/2026', 'Mass Pay Payment', '5,00'),
        line('13/06/2026', 'Express Checkout Payment', '5,00', { status: 'Pending' }),
      ),
    );
    assert.deepEqual([found.reports, found.faults], [[], []]);
    assert.deepEqual(found.leftOut, [
      '1 money that you paid, or got back',
      '1 type General Currency Conversion',
      '1 type Payment Review Hold',
      '1 type Mass Pay Payment',
      '1 status Pending',
    ]);
  });

  it('reads dates as the file shows, or else as the option says', async () => {
    const us = file(
      line('03/04/2026', 'Website Payment', '5.00', { zone: 'PDT' }),
      line('03/14/2026', 'Website Payment', '5.00', { id: 'TX2', zone: 'America/Los_Angeles' }),
    );
    assert.match(
      `${(await read(us)).reports}`,
      /TX1 500 EUR 2026-03-04T16:30.*TX2 500 EUR 2026-03-14T16:30/,
    );
    const unclear = file(line('03/04/2026', 'Website Payment', '5.00'));
    await assert.rejects(read(unclear), /say --dates day-first or --dates month-first/);
    const asked = await read(unclear, { dates: 'day-first' });
    assert.match(`${asked.reports}`, /2026-04-03T07:30/);
  });

  it('names a date, time or zone that it cannot read', async () => {
    const found = await read(
      file(
        line('13/13/2026', 'Website Payment', '5'),
        line('13/06/2026', 'Website Payment', '5', { zone: 'XYZ' }),
      ),
    );
    assert.deepEqual(found.faults, [
      '2 Date must be a date, such as 31/12/2026',
      '3 TimeZone must be a time zone, such as PST, CEST or America/Los_Angeles',
    ]);
  });
});

describe('Paddle’s report of transactions', () => {
  const HEADER =
    'id,status,customer_id,customer_email,subscription_id,origin,created_at,billed_at,currency_code,subtotal,tax,grand_total';
  const file = (total: string, origin = 'web', status = 'completed') =>
    `${HEADER}\ntxn_1,${status},ctm_1,ann@example.com,sub_1,${origin},2026-06-05T20:38:34Z,2026-06-06T10:00:00Z,EUR,,,${total}\n`;

  it('gives what completed, with renewals', async () => {
    const found = await read(file('29.00', 'subscription_recurring'));
    assert.equal(found.format, 'Paddle’s report of transactions');
    assert.deepEqual(found.reports, [
      'payment txn_1 2900 EUR 2026-06-06T10:00:00.000Z ann@example.com ctm_1 sub_1 renewal',
    ]);
    assert.deepEqual((await read(file('29.00', 'web', 'past_due'))).leftOut, ['1 status past_due']);
  });

  it('is refused while nobody knows whether its amounts are cents', async () => {
    await assert.rejects(read(file('2900')), /say --amounts minor if 2900 is 29\.00/);
    const [minor] = (await read(file('2900'), { amounts: 'minor' })).reports;
    const [units] = (await read(file('2900'), { amounts: 'units' })).reports;
    assert.match(`${minor} ${units}`, /txn_1 2900 EUR .* txn_1 290000 EUR /);
  });
});
