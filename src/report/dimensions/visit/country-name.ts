import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE, visitDimension } from '../../dimension.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const SPOKEN = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** Every country by its code of ISO 3166-1, as the runtime's own list (Unicode CLDR) has them. */
const NAMES = new Map(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = SPOKEN.of(code)?.replace(' SAR China', '');
    return name === undefined ? [] : [[code, name]];
  }),
);

/** Where the visitor was, as the country's English name (`Germany`), else `(none)`. */
export const visitCountryName = visitDimension('visit:country_name', (bind) => {
  const codes = bind([...NAMES.keys(), ''], 'Array(String)');
  const names = bind([...NAMES.values(), NONE], 'Array(String)');
  return `transform(${VISIT.country}, ${codes}, ${names})`;
});
