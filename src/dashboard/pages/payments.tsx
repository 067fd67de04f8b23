import { useView } from '../address/address.ts';
import { phraseFilter } from '../format/dimensions.ts';
import { wordsClass } from '../ui/layout.tsx';
import bar from '../widgets/bar/bar.module.css';
import { IgnoredPeriod } from '../widgets/bar/ignored-line.tsx';
import { MetaLines } from '../widgets/bar/meta-lines.tsx';
import { PaymentList } from '../widgets/payments/payment-list.tsx';

/** Every payment on record, and why some are unattributed. */
export function PaymentsPage() {
  const [{ filters }, change] = useView();
  const names = filters.map((filter) => phraseFilter(filter));
  return (
    <>
      {names.length > 0 && (
        <p className={bar.behind} role="status">
          The list shows all payments: {names.join(', ')} {names.length === 1 ? 'does' : 'do'} not
          apply to it.{' '}
          <button
            type="button"
            className={wordsClass('link')}
            onClick={() => change({ filters: [] })}
          >
            Remove
          </button>
        </p>
      )}
      <IgnoredPeriod />
      <MetaLines />
      <PaymentList />
    </>
  );
}
