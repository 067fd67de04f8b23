import { Suspense } from 'react';
import { Link } from 'wouter';
import { DEFAULT_VIEW, useParams } from '../address/address.ts';
import { namePeriod } from '../address/periods.ts';
import { useMe } from '../api/account.ts';
import { Button } from '../ui/button.tsx';
import { Inline, Soft, Words } from '../ui/layout.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { Logo } from '../widgets/head/mark.tsx';
import { usePageTitle } from '../widgets/head/page-title.ts';
import { PersonMenu } from '../widgets/head/person-menu.tsx';
import { Shortcuts } from '../widgets/palette/keys.tsx';
import { SiteCard } from '../widgets/sites/site-card.tsx';
import frame from './site-frame.module.css';
import styles from './sites.module.css';

const AddSite = lazyPart(() => import('../widgets/sites/add-site.tsx'), 'AddSite');

/** Every site the user may see, and a way to add another. */
export function SitesPage() {
  usePageTitle('All sites');
  const { data } = useMe();
  const [params, setParams] = useParams();
  const sites = data?.sites ?? [];
  const mayAdd = data?.user.is_owner === true;
  const isAdding = mayAdd && (params.has('add') || sites.length === 0);
  return (
    <div className={frame.frame}>
      <Shortcuts />
      <Inline as="header" isSpread className={styles.head}>
        <Link to="/" className={styles.mark}>
          <Logo /> Tributary
        </Link>
        <PersonMenu />
      </Inline>
      <main>
        <Inline isSpread className={styles.title}>
          <h1>
            Sites{' '}
            {sites.length > 0 && (
              <Words look={['soft', 'small']} className={styles.period}>
                {namePeriod(DEFAULT_VIEW.period)}
              </Words>
            )}
          </h1>
          {mayAdd && sites.length > 0 && (
            <Button onClick={() => setParams(() => new URLSearchParams('add=1'))}>
              Add a site
            </Button>
          )}
        </Inline>
        {sites.length === 0 && !mayAdd && (
          <Soft>You have no access to any site yet. Ask the person who invited you.</Soft>
        )}
        <div className={styles.sites}>
          {sites.map((site) => (
            <SiteCard key={site.id} site={site} />
          ))}
        </div>
        {isAdding && (
          <Suspense>
            <AddSite
              isFirst={sites.length === 0}
              onClose={() => setParams(() => new URLSearchParams())}
            />
          </Suspense>
        )}
      </main>
    </div>
  );
}
