import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toPlace } from './open-place-database.ts';

describe('a record of a location database', () => {
  const cases: readonly (readonly [form: string, record: unknown, place: string])[] = [
    [
      'flat, as the package has it',
      { country_code: 'DE', state1: 'State of Berlin', city: 'Berlin (Bezirk Mitte)', latitude: 5 },
      'DE | State of Berlin | Berlin',
    ],
    [
      'nested, with names in languages',
      {
        country: { iso_code: 'FR', names: { en: 'France' } },
        subdivisions: [{ iso_code: 'IDF', names: { en: 'Île-de-France' } }, {}],
        city: { names: { de: 'Paris', en: 'Paris' } },
      },
      'FR | Île-de-France | Paris',
    ],
    ['of countries only', { country: { iso_code: 'AT' } }, 'AT |  | '],
    [
      'with plain names',
      { country: 'NL', region: 'Utrecht', city: 'Utrecht' },
      'NL | Utrecht | Utrecht',
    ],
    ['empty', {}, ' |  | '],
    ['absent', null, ' |  | '],
    ['of another kind', 'text', ' |  | '],
    ['with numbers in the wrong places', { country: 7, city: { names: 3 } }, ' |  | '],
  ];
  for (const [form, record, place] of cases) {
    it(`is understood ${form}`, () => {
      const { country, region, city } = toPlace(record);
      assert.equal(`${country} | ${region} | ${city}`, place);
    });
  }
});
