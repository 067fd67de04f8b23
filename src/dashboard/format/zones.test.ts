import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { isTimeZone } from '#domain/time/is-time-zone.ts';
import { formatIn } from './intl-forms.ts';
import { guessCurrency, listCurrencies, listTimeZones, nameTimeZone } from './zones.ts';

before(() => formatIn('en'));
after(() => formatIn());

describe('the list of currencies', () => {
  const codes = listCurrencies('EUR').map(({ value }) => value);

  it('has a name beside each code', () => {
    const labels = new Map(listCurrencies('EUR').map(({ value, label }) => [value, label]));
    assert.equal(labels.get('EUR'), 'EUR · Euro');
    assert.equal(labels.get('JPY'), 'JPY · Japanese Yen');
  });

  it('has what people sell in today, and nothing else', () => {
    for (const code of ['EUR', 'USD', 'CHF', 'XAF', 'XOF', 'XPF']) assert.ok(codes.includes(code));
    for (const code of ['HRK', 'CUC', 'ANG', 'BYR', 'MRO', 'XDR', 'XSU', 'XUA', 'XAU', 'CHW']) {
      assert.ok(!codes.includes(code), code);
    }
  });

  it('keeps the currency that a site has, in its place', () => {
    assert.deepEqual(
      listCurrencies('HRK').map(({ value }) => value),
      [...codes, 'HRK'].toSorted(),
    );
  });
});

describe('the currency of a new site', () => {
  for (const [locale, zone, currency] of [
    ['en-US', 'America/New_York', 'USD'],
    ['en-GB', 'Europe/London', 'GBP'],
    ['de-CH', 'Europe/Zurich', 'CHF'],
    ['en-US', 'Europe/Berlin', 'EUR'],
    ['de-DE', 'UTC', 'EUR'],
    ['ja-JP', 'Asia/Tokyo', 'JPY'],
    ['en', 'Asia/Tashkent', 'USD'],
  ] as const) {
    it(`is ${currency} for ${locale} in ${zone}`, () => {
      assert.equal(guessCurrency(locale, zone), currency);
    });
  }
});

describe('the time zones', () => {
  const zones = listTimeZones('Europe/Berlin');

  it('have the names of today, which the server takes', () => {
    for (const zone of ['Asia/Kolkata', 'Asia/Kathmandu', 'Europe/Kyiv', 'America/Nuuk', 'UTC']) {
      assert.ok(zones.includes(zone), zone);
    }
    for (const zone of ['Asia/Calcutta', 'Asia/Katmandu', 'Europe/Kiev', 'America/Godthab']) {
      assert.ok(!zones.includes(zone) && zones.includes(nameTimeZone(zone)), zone);
    }
    assert.deepEqual(
      zones.filter((zone) => !isTimeZone(zone)),
      [],
    );
  });

  it('begin with that of the site, even under its old name', () => {
    assert.equal(listTimeZones('Asia/Calcutta')[0], 'Asia/Calcutta');
    assert.equal(new Set(zones).size, zones.length);
  });
});
