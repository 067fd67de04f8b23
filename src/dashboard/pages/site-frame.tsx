import { type ReactNode, Suspense } from 'react';
import { Link, Route, Switch } from 'wouter';
import { SiteContext, useMe } from '../api/account.ts';
import { Inline, wordsClass } from '../ui/layout.tsx';
import { Bones, EmptyNote, lazyPart } from '../ui/loaded.tsx';
import { DemoRibbon } from '../widgets/demo/demo.tsx';
import { Head, Logo, PersonMenu } from '../widgets/head/head.tsx';
import { Shortcuts } from '../widgets/palette/keys.tsx';
import { Door } from './door.tsx';
import { OverviewPage } from './overview.tsx';
import styles from './site-frame.module.css';

/** A site's pages besides the overview, each loaded on first use. */
const SECTIONS = [
  { path: '/funnels', page: lazyPart(() => import('./funnels.tsx'), 'FunnelsPage') },
  { path: '/funnels/:id', page: lazyPart(() => import('./funnels.tsx'), 'SavedFunnelPage') },
  {
    path: '/settings/:part?/:item?',
    page: lazyPart(() => import('./settings.tsx'), 'SettingsPage'),
  },
  { path: '/insights', page: lazyPart(() => import('./insights.tsx'), 'InsightsPage') },
  { path: '/attribution', page: lazyPart(() => import('./attribution.tsx'), 'AttributionPage') },
  { path: '/retention', page: lazyPart(() => import('./retention.tsx'), 'RetentionPage') },
  { path: '/journeys', page: lazyPart(() => import('./journeys.tsx'), 'JourneysPage') },
  { path: '/people', page: lazyPart(() => import('./people.tsx'), 'PeoplePage') },
  { path: '/people/:id', page: lazyPart(() => import('./person.tsx'), 'PersonPage') },
  { path: '/payments', page: lazyPart(() => import('./payments.tsx'), 'PaymentsPage') },
  { path: '/payments/:id', page: lazyPart(() => import('./payment.tsx'), 'PaymentPage') },
  { path: '/live', page: lazyPart(() => import('./live.tsx'), 'LivePage') },
] as const;

/** Everything below `/{domain}`: the header and the section's page. */
export function SiteFrame({ domain }: { readonly domain: string }) {
  const me = useMe();
  const site = me.data?.sites.find((each) => each.domain === domain || each.id === domain);
  if (site === undefined) {
    return (
      <Door
        {...{ title: 'No site here', link: ['/', 'All sites'] }}
        lead={`There is no site ${domain}, or nobody has shared it with you.`}
      />
    );
  }
  return (
    <SiteContext.Provider value={site}>
      <div className={styles.frame}>
        <DemoRibbon />
        <Head />
        <Shortcuts />
        <main>
          <Suspense fallback={<Bones height={320} />}>
            <Switch>
              <Route path="/:domain" component={OverviewPage} />
              {SECTIONS.map(({ path, page }) => (
                <Route key={path} path={`/:domain${path}`} component={page} />
              ))}
              <Route>
                <EmptyNote>
                  <h1>This page does not exist.</h1>
                  <Link to={`/${site.domain}`} className={wordsClass('link')}>
                    To the overview
                  </Link>
                </EmptyNote>
              </Route>
            </Switch>
          </Suspense>
        </main>
      </div>
    </SiteContext.Provider>
  );
}

type PlainFrameProps = { readonly title: ReactNode; readonly children: ReactNode };

/** A page that belongs to no site: its head, and a title with what stands beside it. */
export function PlainFrame({ title, children }: PlainFrameProps) {
  return (
    <div className={styles.frame}>
      <Shortcuts />
      <Inline as="header" isSpread style={{ minHeight: 56 }}>
        <Link to="/">
          <Inline className={wordsClass('bold')}>
            <Logo /> Tributary
          </Inline>
        </Link>
        <PersonMenu />
      </Inline>
      <main>
        <Inline isSpread style={{ minHeight: 32, margin: '12px 0 16px' }}>
          {title}
        </Inline>
        {children}
      </main>
    </div>
  );
}
