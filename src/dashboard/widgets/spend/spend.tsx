import { useRef, useState } from 'react';
import type { Money } from '#contract/query-fields.ts';
import type { CostFileAnswer, CostImportsAnswer } from '#contract/sites/costs.ts';
import { useChangeOfSite, useOfSite, useSite } from '../../api/account.ts';
import { formatDays, formatInstant } from '../../format/dates.ts';
import { formatExactMoney, formatNoun, formatWhole } from '../../format/numbers.ts';
import { useScrollBox } from '../../ui/box-size.ts';
import { Button } from '../../ui/button.tsx';
import { readCsv } from '../../ui/device.ts';
import { CheckField, FileField } from '../../ui/form.tsx';
import { Hidden, Section, Soft, Words } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, numberColumn, Table, textColumn } from '../../ui/table.tsx';
import { RemoveButton } from '../saved/saved.tsx';

/** What a site spent on campaigns: files to import, and those whose costs count. */
export function Spend() {
  return (
    <>
      <ImportSection />
      <ImportsSection />
    </>
  );
}

/** A file that was chosen, and what would come of it. */
type Tried = { readonly file: string; readonly csv: string; readonly answer: CostFileAnswer };

const EXAMPLE = `date,source,medium,campaign,amount,currency
2026-11-20,google,cpc,autumn,120.50,EUR`;

function ImportSection() {
  const [isWhole, setWhole] = useState(false);
  const [tried, setTried] = useState<Tried>();
  const [done, setDone] = useState<CostFileAnswer>();
  const trying = useChangeOfSite<CostFileAnswer>();
  const recording = useChangeOfSite<CostFileAnswer>();

  async function attempt(file: string, csv: string, whole_days: boolean): Promise<void> {
    recording.reset();
    setDone(undefined);
    setTried(undefined);
    const body = { file, csv, whole_days, dry_run: true };
    const answer = await trying.mutateAsync({ method: 'POST', path: '/costs', body });
    setTried({ file, csv, answer });
  }

  async function record({ file, csv }: Tried): Promise<void> {
    const body = { file, csv, whole_days: isWhole };
    setDone(await recording.mutateAsync({ method: 'POST', path: '/costs', body }));
    setTried(undefined);
  }

  function changeWhole(whole: boolean): void {
    setWhole(whole);
    if (tried) attempt(tried.file, tried.csv, whole).catch(() => {}); // Shown by `trying`.
  }

  async function choose(file: File): Promise<void> {
    await attempt(file.name, await readCsv(file), isWhole);
  }

  const error = trying.error ?? recording.error;
  return (
    <Section title="Import what you spent">
      <Soft>
        A CSV file with these columns, and source, medium and campaign as in your links. Each line
        replaces the cost with the same date, source, medium and campaign.
      </Soft>
      <Example />
      <FileField
        label="Choose a CSV file"
        accept=".csv,.tsv,.txt,text/csv"
        onChoose={(file) => void choose(file).catch(() => {})}
      />
      <CheckField
        checked={isWhole}
        onChange={({ currentTarget }) => changeWhole(currentTarget.checked)}
      >
        Replace all costs of the file’s days and sources
      </CheckField>
      {error && <p role="alert">{error.message}</p>}
      {tried && (
        <CostPreview
          answer={tried.answer}
          isSending={recording.isPending}
          onRecord={() => void record(tried).catch(() => {})}
        />
      )}
      <p role="status">
        {trying.isPending && 'Reading the file …'}
        {done && `Recorded ${spentOf(done.sums)} of ${done.file}.`}
      </p>
    </Section>
  );
}

/** An example of a file, on lines of its own even where there is no room for them. */
function Example() {
  const box = useRef<HTMLDivElement>(null);
  return (
    <div ref={box} {...useScrollBox(box, 'An example of a file').attributes}>
      <pre>{EXAMPLE}</pre>
    </div>
  );
}

function ImportsSection() {
  const { timezone } = useSite();
  const columns: readonly Column<CostImportsAnswer['imports'][number]>[] = [
    textColumn('File', ({ id, file, first_day, last_day, imported_at: at }) => (
      <>
        {id === 'api' ? 'Sent to the API' : file}
        <Words as="div" look={['soft', 'small']}>
          {first_day && last_day && formatDays(first_day, last_day)}
          {at && `, imported ${formatInstant(at, timezone)}`}
        </Words>
      </>
    )),
    numberColumn({ label: 'Costs', isWide: true }, ({ costs }) => formatWhole(costs)),
    numberColumn('Spent', ({ sums }) =>
      sums.map((sum) => <div key={sum.currency}>{formatExactMoney(sum)}</div>),
    ),
    numberColumn({ name: 'remove', label: <Hidden>Actions</Hidden> }, ({ id }) => (
      <RemoveButton name="these costs" path={`/costs/${id}`}>
        <p>All reports leave them out from now on. Import or send them again to bring them back.</p>
      </RemoveButton>
    )),
  ];
  return (
    <Section title="What counts">
      <Loaded
        of={useOfSite<CostImportsAnswer>('/costs')}
        height={160}
        isEmpty={({ imports }) => imports.length === 0}
        empty="Nothing has been imported. Cost and ROAS appear beside revenue then."
      >
        {({ imports: rows }) => (
          <Table
            {...{ label: 'Imported costs', columns, rows, look: 'plain' }}
            keyOf={({ id }) => id}
          />
        )}
      </Loaded>
    </Section>
  );
}

type PreviewProps = {
  readonly answer: CostFileAnswer;
  readonly isSending: boolean;
  readonly onRecord: () => void;
};

/** What would come of a file: its sums, or its wrong lines. */
function CostPreview({ answer, isSending, onRecord }: PreviewProps) {
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
  const { added, replaced, unchanged, removed, kept, rounded_lines: rounded } = answer;
  return (
    <ul>
      <li>{formatWhole(added)} new</li>
      {replaced > 0 && <li>{formatWhole(replaced)} replace others</li>}
      {unchanged > 0 && <li>{formatWhole(unchanged)} are there already</li>}
      {removed > 0 && <li>{formatWhole(removed)} others of these days and sources are removed</li>}
      {rounded > 0 && <li>{formatWhole(rounded)} rounded to what their currency has</li>}
      {kept > 0 && <li>{formatWhole(kept)} others of these days and sources stay</li>}
    </ul>
  );
}

const COLUMNS: readonly Column<CostFileAnswer['faults'][number]>[] = [
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
function spentOf(sums: readonly Money[]): string {
  return sums.map((sum) => formatExactMoney(sum)).join(' + ');
}
