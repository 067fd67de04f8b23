import { Link } from 'wouter';
import { useSite } from '../../api/account.ts';
import { formatCount } from '../../format/numbers.ts';
import { useLive } from '../live/use-live.ts';
import styles from './head.module.css';

const REFRESH_MS = 15_000;

/** How many visitors were active in the last five minutes, linked to the live page. */
export function LiveCount() {
  const site = useSite();
  const { data } = useLive(REFRESH_MS);
  if (data === undefined) return null;
  return (
    <Link to={`/${site.domain}/live`} className={styles.live}>
      <span className={styles.dot} aria-hidden="true" />
      <span>
        <b>{formatCount(data.visitors.last_5_minutes)}</b>
        <span className={styles.words}> on now</span>
      </span>
    </Link>
  );
}
