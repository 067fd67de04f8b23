import { VISIT } from '#contract/rows/visit-row.ts';
import { NONE } from '#domain/row-labels.ts';
import type { Bind } from './dimension.ts';

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
let names: ReadonlyMap<string, string> | undefined;

/** SQL for the English name of a visit's country. */
export function countryNameSql(bind: Bind): string {
  names ??= listCountries();
  const from = bind([...names.keys(), ''], 'Array(String)');
  const to = bind([...names.values(), NONE], 'Array(String)');
  return `transform(${VISIT.country}, ${from}, ${to})`;
}

/**
 * All countries by ISO 3166-1 code, from the runtime's list (Unicode CLDR).
 *
 * Why only when a query needs them: reading the list would take a tenth of a server's start.
 */
function listCountries(): ReadonlyMap<string, string> {
  const spoken = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const codes = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return new Map(
    codes.flatMap((code) => {
      const name = spoken.of(code)?.replace(' SAR China', '');
      return name === undefined ? [] : [[code, name]];
    }),
  );
}
