import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { data as published } from 'currency-codes';
import { CURRENCIES, findCurrency } from './currencies.ts';

/** Units of account without a minor unit: nobody pays in them. */
const NOT_MONEY = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '));

/** In our table and not in the package's list of 2024-06-25. */
const NEWER = ['XCG'];
const WITHDRAWN_BEFORE_THE_LIST = ['BYR', 'HRK', 'MRO', 'SLL', 'STD', 'VEF', 'ZWL'];

describe('currencies', () => {
  it('have the exponents that ISO 4217 publishes', () => {
    for (const { code, digits } of published.filter(({ code }) => !NOT_MONEY.has(code))) {
      assert.deepEqual(findCurrency(code), { code, exponent: digits });
    }
  });

  it('differ from the published list only as listed', () => {
    const codes = new Set(published.map(({ code }) => code));
    const ours = CURRENCIES.map(({ code }) => code).filter((code) => !codes.has(code));
    assert.deepEqual(ours.toSorted(), [...NEWER, ...WITHDRAWN_BEFORE_THE_LIST].toSorted());
  });

  it('leave out units that no amount can be exact in', () => {
    for (const code of NOT_MONEY) assert.equal(findCurrency(code), undefined);
  });

  it('are found by their code in upper case only', () => {
    assert.equal(findCurrency('eur'), undefined);
    assert.equal(findCurrency('BTC'), undefined);
    assert.equal(findCurrency('constructor'), undefined);
  });
});
