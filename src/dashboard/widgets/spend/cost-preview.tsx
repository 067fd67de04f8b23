import type { Money } from '#contract/query-fields.ts';
import type { CostFileAnswer } from '#contract/sites/costs.ts';
import { formatDays } from '../../format/dates.ts';
import { formatExactMoney, formatNoun, formatWhole } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, Table, textColumn } from '../../ui/table.tsx';

type PreviewProps = {
  readonly answer: CostFileAnswer;
  readonly isSending: boolean;
  readonly onRecord: () => void;
};

/** What would come of a file: its sums, or its wrong lines. */
export function CostPreview({ answer, isSending, onRecord }: PreviewProps) {
  const { lines, sums, first_day, last_day, wrong_lines, ignored_columns: ignored } = answer;
  const days = first_day && last_day ? `, ${formatDays(first_day, last_day)}` : '';
  return (
    <>
      <p>
        <strong>{answer.file}</strong>: {formatNoun(lines, 'line')}
        {days}
        {sums.length > 0 && `, ${spentOf(sums)}`}.
      </p>
      {ignored.length > 0 && <p>Columns that are not read: {ignored.join(', ')}.</p>}
      {wrong_lines > 0 ? <Faults answer={answer} /> : <Changes answer={answer} />}
      {wrong_lines === 0 && (
        <div>
          <Button look="primary" disabled={isSending} onClick={onRecord}>
            Record {formatNoun(lines, 'cost')}
          </Button>
        </div>
      )}
    </>
  );
}

function Changes({ answer }: Pick<PreviewProps, 'answer'>) {
  const { added, replaced, unchanged, removed, kept } = answer;
  return (
    <ul>
      <li>{formatWhole(added)} new</li>
      {replaced > 0 && <li>{formatWhole(replaced)} replace others</li>}
      {unchanged > 0 && <li>{formatWhole(unchanged)} are there already</li>}
      {removed > 0 && <li>{formatWhole(removed)} others of these days and sources are removed</li>}
      {kept > 0 && <li>{formatWhole(kept)} others of these days and sources stay</li>}
    </ul>
  );
}

type LineFault = CostFileAnswer['faults'][number];

const COLUMNS: readonly Column<LineFault>[] = [
  textColumn('Line', ({ line }) => line),
  textColumn('Column', ({ column }) => column),
  textColumn('Fault', ({ message }) => message),
];

function Faults({ answer: { wrong_lines, faults } }: Pick<PreviewProps, 'answer'>) {
  return (
    <>
      <p role="alert">
        {wrong_lines === 1 ? '1 line is' : `${formatWhole(wrong_lines)} lines are`} wrong, so
        nothing is recorded. Mend the file and choose it again.
      </p>
      <Table
        {...{ label: 'Wrong lines', columns: COLUMNS, rows: faults, look: 'plain' }}
        keyOf={({ line, column, message }) => `${line} ${column} ${message}`}
      />
    </>
  );
}

/** What was spent, in each currency. */
export function spentOf(sums: readonly Money[]): string {
  return sums.map((sum) => formatExactMoney(sum)).join(' + ');
}
