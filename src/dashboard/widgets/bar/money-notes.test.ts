import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatIn } from '../../format/intl-forms.ts';
import { toMoneyNotes } from './money-notes.ts';

before(() => formatIn('en'));
after(() => formatIn());

const dinars = (gross: string, refunds: string, payments: number) => {
  const money = (value: string) => ({ value, currency: 'KWD' });
  return { currency: 'KWD', gross_revenue: money(gross), refunds: money(refunds), payments };
};

describe('the notes about money', () => {
  it('say which costs are in no sum, the most that an answer lacks', () => {
    const won = (value: string) => ({ currency: 'KRW', cost: { value, currency: 'KRW' } });
    const metas = [{ unconverted_costs: [won('5000')] }, { unconverted_costs: [won('900')] }];
    assert.deepEqual(toMoneyNotes(metas), [
      'Cost does not include ₩5,000, because no exchange rate is known for KRW.',
    ]);
  });

  it('are none while every rate is known', () => {
    assert.deepEqual(toMoneyNotes([{}, { unconverted: [], late_rates: [] }]), []);
  });

  it('name what no sum includes, once for each currency and as much as there is', () => {
    const metas = [
      { unconverted: [dinars('10.000', '0.000', 1)] },
      { unconverted: [dinars('12.500', '2.500', 2)] },
    ];
    const said = toMoneyNotes(metas).map((note) => note.replace(/\s/g, ' '));
    assert.deepEqual(said, [
      'Revenue does not include KWD 12.500, because no exchange rate is known for KWD.',
    ]);
    const [refund] = toMoneyNotes([{ unconverted: [dinars('0.000', '2.500', 0)] }]);
    assert.match(refund ?? '', /KWD\s2\.500/);
  });

  it('count what was converted at an older rate', () => {
    const late_rates = [
      { currency: 'NOK', payments: 1 },
      { currency: 'USD', payments: 3 },
    ];
    assert.deepEqual(toMoneyNotes([{ late_rates }]), [
      'Converted at an older exchange rate until that day’s rate is known: 1 payment in NOK and 3 payments in USD.',
    ]);
  });
  it('say how far payments are converted again', () => {
    const metas = [{}, { converting: { converted: 40_000, payments: 1_000_000 } }];
    assert.deepEqual(toMoneyNotes(metas), [
      'Payments are being converted again: 40,000 of 1,000,000 are done. Until then, some amounts are old.',
    ]);
  });

  it('say when exchange rates end, and what to do', () => {
    const [note] = toMoneyNotes([{}, { rates_until: '2020-04-13' }]);
    assert.match(
      note ?? '',
      /^Exchange rates end on (13 Apr|Apr 13,) 2020\..*tributary rates update --from-ecb/,
    );
    assert.deepEqual(toMoneyNotes([{ rates_until: '2020-04-13' }], true), [], 'for guests');
  });
});
