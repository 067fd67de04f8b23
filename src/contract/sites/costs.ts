import Type, { type Static } from 'typebox';
import { optional } from '../optional.ts';
import { CostCounts } from '../payments/cost.ts';
import { Money } from '../query-fields.ts';
import { Text } from '../text.ts';
import { SitePath } from './site.ts';

/** The largest file of costs, in characters. */
export const COST_FILE_MAX = 5_000_000;

/** A CSV file of costs. */
export const CostFileRequest = Type.Object({
  file: Text({ minLength: 1, maxLength: 255, description: 'The name of the file.' }),
  csv: Type.String({
    maxLength: COST_FILE_MAX,
    description: 'Its text: a header with the columns, then a line for each cost.',
  }),
  ...optional({
    whole_days: Type.Boolean({
      description: 'Whether other costs of its days and sources are removed.',
    }),
    dry_run: Type.Boolean({ description: 'Whether to only report what would be recorded.' }),
  }),
});
export type CostFileRequest = Static<typeof CostFileRequest>;

const Sums = Type.Array(Money, { description: 'What was spent, in each currency.' });
const Day = Type.Optional(Type.String({ examples: ['2026-11-20'] }));

/** What came of a file of costs. A file with a wrong line records nothing. */
export const CostFileAnswer = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'The import, if the costs were recorded.' })),
    ...{ file: Type.String(), lines: Type.Integer(), wrong_lines: Type.Integer() },
    ...CostCounts,
    ...{ sums: Sums, first_day: Day, last_day: Day },
    rounded_lines: Type.Integer({ description: 'Amounts with more decimals than their currency.' }),
    faults: Type.Array(
      Type.Object({ line: Type.Integer(), column: Type.String(), message: Type.String() }),
      {
        title: 'LineFaults',
        description: 'The first faults. Without a column, of the whole line.',
      },
    ),
    ignored_columns: Type.Array(Type.String()),
  },
  { description: 'What is recorded, or would be. A file with a wrong line records nothing.' },
);
export type CostFileAnswer = Static<typeof CostFileAnswer>;

/** The costs of a site that count, by where they came from. */
export const CostImportsAnswer = Type.Object(
  {
    imports: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: '`api` for what requests have sent.' }),
          file: Type.String(),
          imported_at: Type.Optional(Type.String()),
          costs: Type.Integer({ description: 'Those that nothing later has replaced.' }),
          ...{ first_day: Day, last_day: Day, sums: Sums },
        },
        { title: 'CostImport' },
      ),
    ),
  },
  { description: 'The imports whose costs count, the latest first.' },
);
export type CostImportsAnswer = Static<typeof CostImportsAnswer>;

/** The path of an import. */
export const CostImportPath = Type.Object({ ...SitePath.properties, import: Type.String() });

/** The answer to removed costs. */
export const CostsRemovedAnswer = Type.Object(
  { removed: Type.Integer() },
  { description: 'How many costs were removed.' },
);
