import { Link } from 'wouter';
import { keptSearch, type View } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import styles from './panel.module.css';

type UnattributedLinkProps = {
  readonly view: View;
  readonly payments: number;
  readonly className: string | undefined;
};

/** The name of the row of unattributed payments, which leads to the reason for each. */
export function UnattributedLink({ view, payments, className }: UnattributedLinkProps) {
  const { domain } = useSite();
  const kept = keptSearch(view);
  const to = `/${domain}/payments${kept}${kept === '' ? '?' : '&'}state=unattributed`;
  return (
    <Link to={to} className={className} data-row="">
      Unattributed{' '}
      <span className={styles.code}>
        <span className={styles.wide}>
          · {payments} {payments === 1 ? 'payment' : 'payments'},
        </span>{' '}
        why?
      </span>
    </Link>
  );
}
