import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, visitDimension } from '../../dimension.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const SPOKEN = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** All countries by ISO 3166-1 code, from the runtime's list (Unicode CLDR). */
const NAMES = new Map(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = SPOKEN.of(code)?.replace(' SAR China', '');
    return name === undefined ? [] : [[code, name]];
  }),
);

/** Country of the visitor, by its English name (`Germany`); `(none)` if unknown. */
export const visitCountryName = visitDimension('visit:country_name', (bind) => {
  const codes = bind([...NAMES.keys(), ''], 'Array(String)');
  const names = bind([...NAMES.values(), NONE], 'Array(String)');
  return `transform(${VISIT.country}, ${codes}, ${names})`;
});
