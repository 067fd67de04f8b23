import { useView } from '../address/address.ts';
import { phraseFilter } from '../format/dimensions.ts';
import { Notice, wordsClass } from '../ui/layout.tsx';
import bar from '../widgets/bar/bar.module.css';
import { IgnoredPeriod, MetaLines } from '../widgets/bar/bar-notes.tsx';
import { toPaymentFilters } from '../widgets/payments/payment-filters.ts';
import { PaymentList } from '../widgets/payments/payment-list.tsx';

/** The payments on record, and why some are unattributed. */
export function PaymentsPage() {
  const [{ filters }, change] = useView();
  const { ignored } = toPaymentFilters(filters);
  return (
    <>
      {ignored.length > 0 && (
        <Notice className={bar.behind}>
          {ignored.map((filter) => phraseFilter(filter)).join(', ')}{' '}
          {ignored.length === 1 ? 'does' : 'do'} not apply to this list.{' '}
          <button
            type="button"
            className={wordsClass('link')}
            onClick={() => change({ filters: filters.filter((each) => !ignored.includes(each)) })}
          >
            Remove
          </button>
        </Notice>
      )}
      <IgnoredPeriod />
      <MetaLines />
      <PaymentList />
    </>
  );
}
