import { Card } from '../ui/card.tsx';
import { Tabs } from '../ui/tabs.tsx';
import { Lifetime, Retained } from '../widgets/retention/cohorts.tsx';
import { Recurring } from '../widgets/retention/recurring.tsx';
import styles from '../widgets/retention/retention.module.css';
import { PARTS, type Part, UNITS, useRetention } from '../widgets/retention/retention-view.ts';

const EXPLAINED: Readonly<Record<Part, string>> = {
  visits:
    'Everybody who came for the first time in one week or month, and how many of them came again since.',
  payers:
    'Everybody who paid for the first time in one week or month, and how many of them paid again since.',
  ltv: 'Everybody who paid for the first time in one month, and what each of them has paid on average by the end of each month since.',
  mrr: 'What subscriptions bring in each month, and what changed it.',
};

/** Who stays, who pays again, and what that is worth. */
export function RetentionPage() {
  const { part, unit, choosePart, chooseUnit } = useRetention();
  const hasUnit = part === 'visits' || part === 'payers';
  return (
    <Card className={styles.card}>
      <h1>Retention</h1>
      <div className={styles.choices}>
        <Tabs name="What is shown" value={part} choices={PARTS} onChoose={choosePart} />
        {hasUnit && (
          <Tabs name="Length of a period" value={unit} choices={UNITS} onChoose={chooseUnit} />
        )}
      </div>
      <p className={styles.lead}>{EXPLAINED[part]} The last twelve are shown.</p>
      {hasUnit && <Retained part={part} unit={unit} />}
      {part === 'ltv' && <Lifetime />}
      {part === 'mrr' && <Recurring />}
    </Card>
  );
}
