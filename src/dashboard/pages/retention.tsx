import { useView } from '../address/address.ts';
import { Tabs } from '../ui/button.tsx';
import { Card, Inline, Soft, Stack } from '../ui/layout.tsx';
import { Filters } from '../widgets/bar/filters.tsx';
import { PARTS, UNITS, useRetention, type ViewPart } from '../widgets/retention/cohorts.ts';
import { Lifetime, Recurring, Retained } from '../widgets/retention/reports.tsx';
import styles from '../widgets/retention/retention.module.css';

const EXPLAINED: Readonly<Record<ViewPart, string>> = {
  visits:
    'People grouped by the week or month of their first visit, and how many of them came back.',
  payers:
    'People grouped by the week or month of their first payment, and how many of them paid again.',
  ltv: 'People grouped by the month of their first payment, and the average they have paid by the end of each later month; “…” where nobody’s first month is over yet.',
  mrr: 'Recurring revenue by month, and what changed it.',
};

/** Who stays, who pays again, and what that is worth. */
export function RetentionPage() {
  const { part, unit, choosePart, chooseUnit } = useRetention();
  const [view, change] = useView();
  const hasUnit = part === 'visits' || part === 'payers';
  return (
    <Card isPadded style={{ marginTop: 8 }}>
      <Stack>
        <h1>Retention</h1>
        <Inline isSpread gap="8px 24px" className={styles.choices}>
          <Tabs name="Report" value={part} choices={PARTS} onChoose={choosePart} />
          {hasUnit && (
            <Tabs name="Length of periods" value={unit} choices={UNITS} onChoose={chooseUnit} />
          )}
        </Inline>
        <Inline>
          <Filters view={view} onChange={(filters) => change({ filters })} />
        </Inline>
        <Soft style={{ maxWidth: 680 }}>
          {EXPLAINED[part]} The last twelve are shown.
          {hasUnit && ' Periods that are not over yet show a count.'}
        </Soft>
        {hasUnit && <Retained part={part} unit={unit} />}
        {part === 'ltv' && <Lifetime />}
        {part === 'mrr' && <Recurring />}
      </Stack>
    </Card>
  );
}
