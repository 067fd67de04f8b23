import { isOld, useAnswer } from '../../api/query.ts';
import { Card } from '../../ui/card.tsx';
import { CardHead, Inline, Inset, wordsClass } from '../../ui/layout.tsx';
import { Bones, EmptyNote, ErrorNote } from '../../ui/note.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ModelChoice } from './model-choice.tsx';
import { ShiftTable } from './shift-table.tsx';
import { toShiftRows } from './shifts.ts';
import { COMPARED, useComparison } from './use-comparison.ts';

/** The rows compared; campaigns beyond them have hardly any revenue. */
const ROWS_MAX = 1_000;

/** Two attribution models side by side: what each source gets from both, and how it shifts. */
export function ModelComparison() {
  const comparison = useComparison();
  const { view, model, versus, compared, order } = comparison;
  const asked = {
    metrics: ['revenue'],
    attribution: { models: [model, versus] },
  };
  const rows = useAnswer(view, {
    ...asked,
    dimensions: [compared.dimension],
    pagination: { limit: ROWS_MAX },
  });
  const total = useAnswer(view, asked);
  const error = rows.error ?? total.error;
  const isWaiting = error === null && (rows.data === undefined || total.data === undefined);
  return (
    <Card aria-label="Two models side by side" aria-busy={isWaiting}>
      <CardHead>
        <Tabs
          name="Compare by"
          value={compared.panel}
          choices={COMPARED.map(({ panel, label }) => ({ value: panel, label }))}
          onChoose={comparison.choosePanel}
        />
        <Inline as="p" className={wordsClass('soft')}>
          <ModelChoice name="First model" value={model} onChoose={comparison.chooseModel} />
          <span>against</span>
          <ModelChoice name="Second model" value={versus} onChoose={comparison.chooseVersus} />
        </Inline>
      </CardHead>
      {error !== null && rows.data === undefined ? (
        <ErrorNote
          error={error}
          onRetry={() => void Promise.all([rows.refetch(), total.refetch()])}
        />
      ) : rows.data === undefined || isWaiting ? (
        <Inset>
          <Bones height={376} />
        </Inset>
      ) : rows.data.results.length === 0 ? (
        <EmptyNote>
          No payments in this period. Choose a longer one, or report payments to see what earned
          them.
        </EmptyNote>
      ) : (
        <div data-old={isOld(rows)}>
          <ShiftTable
            rows={toShiftRows(rows.data.results, order)}
            total={toShiftRows(total.data?.results ?? [])[0]}
            comparison={comparison}
            key={compared.panel}
          />
        </div>
      )}
    </Card>
  );
}
