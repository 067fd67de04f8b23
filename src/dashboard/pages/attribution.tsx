import { useView } from '../address/address.ts';
import { ModelComparison } from '../widgets/attribution/comparison.tsx';
import { ModelNotes } from '../widgets/attribution/model-notes.tsx';
import { PurchasePathsCard } from '../widgets/attribution/purchase-paths.tsx';
import { Bar } from '../widgets/bar/bar.tsx';
import styles from './stack.module.css';

/** Who earns the revenue, by two models side by side, and how long buyers take. */
export function AttributionPage() {
  const [view] = useView();
  return (
    <>
      <Bar />
      <div className={styles.stack}>
        <h1 className={styles.title}>Attribution</h1>
        <ModelComparison />
        <ModelNotes />
        <PurchasePathsCard view={view} />
      </div>
    </>
  );
}
