import { Link } from 'wouter';
import { useMe } from '../account.ts';
import { Card } from '../ui/card.tsx';
import styles from './site-frame.module.css';

/** Every site that the person may see. */
export function SitesPage() {
  const { data } = useMe();
  return (
    <main className={styles.frame}>
      <h1>Sites</h1>
      {data?.sites.map((site) => (
        <Card key={site.id} isPadded>
          <Link to={`/${site.domain}`}>{site.domain}</Link>
        </Card>
      ))}
    </main>
  );
}
