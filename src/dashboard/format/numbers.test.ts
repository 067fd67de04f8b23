import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { formatIn } from './intl-forms.ts';
import {
  formatCount,
  formatMoney,
  formatMoneyTick,
  formatNoun,
  formatSigned,
  signOf,
  subtract,
} from './numbers.ts';

before(() => formatIn('en'));
after(() => formatIn());

const euros = (value: string) => ({ value, currency: 'EUR' });

describe('the difference of amounts', () => {
  it('is exact to the cent, also where a float is not', () => {
    assert.deepEqual(subtract(euros('0.30'), euros('0.10')), euros('0.20'));
    assert.deepEqual(
      subtract(euros('90071992547409.93'), euros('0.01')),
      euros('90071992547409.92'),
    );
  });

  it('keeps its sign below one', () => {
    assert.deepEqual(subtract(euros('0.10'), euros('0.15')), euros('-0.05'));
    assert.deepEqual(subtract(euros('-1.00'), euros('-1.00')), euros('0.00'));
  });

  it('takes currencies without cents as they are', () => {
    const yen = (value: string) => ({ value, currency: 'JPY' });
    assert.deepEqual(subtract(yen('100'), yen('250')), yen('-150'));
  });
});

describe('a signed amount', () => {
  it('says which way in front of the currency', () => {
    assert.equal(formatSigned(euros('12.00')), '+€12.00');
    assert.equal(formatSigned(euros('-3.50')), '−€3.50');
    assert.equal(formatSigned(euros('0.00')), '±€0.00');
  });

  it('has the sign of its value', () => {
    assert.deepEqual(
      ['-0.01', '0.00', '5.00'].map((value) => signOf(euros(value))),
      [-1, 0, 1],
    );
  });
});

it('a count has its noun in the right number', () => {
  const counts = [0, 1, 2, 1_200].map((count) => formatNoun(count, 'visit'));
  assert.deepEqual(counts, ['0 visits', '1 visit', '2 visits', '1,200 visits']);
});

describe('a figure of six digits and more', () => {
  const spaced = (text: string) => text.replace(/\s/g, ' ');

  it('is abbreviated', () => {
    assert.equal(formatCount(99_999), '99,999');
    assert.equal(formatCount(123_456), '123K');
    assert.equal(formatMoney(euros('99999.50')), '€100,000');
    assert.equal(formatMoney(euros('623456.50')), '€623.5K');
    assert.equal(formatMoney(euros('-1234567.00')), '−€1.235M');
  });

  it('loses its currency before cents that matter', () => {
    const dinars = (value: string) => ({ value, currency: 'KWD' });
    assert.equal(spaced(formatMoney(dinars('1.786'))), 'KWD 1.786');
    assert.equal(formatMoney(dinars('1.786'), 7), '1.786');
    assert.equal(spaced(formatMoney(dinars('123.456'), 8)), 'KWD 123');
    assert.equal(formatMoney(dinars('123456789.123'), 7), '123M');
  });

  it('takes the longest form that fits into its room', () => {
    const inRoom = (value: string, currency: string, room?: number) =>
      spaced(formatMoney({ value, currency }, room));
    const amount = ['1596345.678', 'KWD'] as const;
    assert.deepEqual(
      [12, 10, 9, 7, 4].map((room) => inRoom(...amount, room)),
      ['KWD 1.596M', 'KWD 1.596M', 'KWD 1.6M', '1.6M', '1.6M'],
    );
    assert.equal(inRoom('593912.345', 'KWD'), 'KWD 593.9K');
    assert.equal(inRoom('10607.250', 'KWD', 9), 'KWD 10.6K');
    assert.equal(inRoom('123.456', 'KWD'), 'KWD 123');
    assert.equal(inRoom('12.345', 'KWD'), 'KWD 12.345');
    assert.equal(inRoom('40124.50', 'CHF'), 'CHF 40,125');
    formatIn('en-GB');
    assert.equal(inRoom('19061234567', 'IDR'), 'Rp 19.06bn');
    formatIn('de');
    assert.equal(inRoom(...amount), '1,6 Mio.');
    assert.equal(inRoom('593912.345', 'KWD'), '593.912');
    formatIn('en');
  });

  it('is in full, not rounded, where the language has no short form', () => {
    formatIn('de');
    assert.equal(formatCount(123_456), '123.456');
    assert.equal(spaced(formatMoney(euros('623456.50'))), '623.457 €');
    assert.equal(spaced(formatMoney(euros('1234567.00'))), '1,235 Mio. €');
    assert.equal(spaced(formatMoneyTick(1_250, 'EUR')), '1.250 €');
    formatIn('en');
  });
});
