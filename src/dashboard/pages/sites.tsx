import { Suspense } from 'react';
import { Link } from 'wouter';
import { DEFAULT_VIEW, useParams } from '../address/address.ts';
import { namePeriod } from '../address/periods.ts';
import { SiteContext, titleOf, useMe, useSite, type ViewedSite } from '../api/account.ts';
import { toCompare, useAnswer } from '../api/query.ts';
import { isUnfinished, nowIn } from '../format/dates.ts';
import { changeOf, formOf } from '../format/metrics.ts';
import { toNumber } from '../format/numbers.ts';
import { Button } from '../ui/button.tsx';
import { Soft, Words, wordsClass } from '../ui/layout.tsx';
import { lazyPart } from '../ui/lazy-part.ts';
import { Bones } from '../ui/loaded.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { ChangeText, FigureText } from '../widgets/figures/figures.tsx';
import { usePageTitle } from '../widgets/keys/sections.ts';
import { PlainFrame } from './site-frame.tsx';
import styles from './sites.module.css';

const AddSite = lazyPart(() => import('../widgets/sites/add-site.tsx'), 'AddSite');

const GRID = {
  display: 'grid',
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(320px, 100%), 1fr))',
  gap: 16,
} as const;

/** Every site the user may see, and a way to add another. */
export function SitesPage() {
  usePageTitle('All sites');
  const { data } = useMe();
  const [params, setParams] = useParams();
  const sites = data?.sites ?? [];
  const mayAdd = data?.user.is_owner === true;
  const isAdding = mayAdd && (params.has('add') || sites.length === 0);
  return (
    <PlainFrame
      title={
        <>
          <h1>
            Sites{' '}
            {sites.length > 0 && (
              <Words look={['soft', 'small']} style={{ fontWeight: 400 }}>
                {namePeriod(DEFAULT_VIEW.period)}
              </Words>
            )}
          </h1>
          {mayAdd && sites.length > 0 && (
            <Button onClick={() => setParams(() => new URLSearchParams('add=1'))}>
              Add a site
            </Button>
          )}
        </>
      }
    >
      {sites.length === 0 && !mayAdd && (
        <Soft>You have no access to any site yet. Ask the person who invited you.</Soft>
      )}
      <div style={GRID}>
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
    </PlainFrame>
  );
}

const metricsOf = ({ has_payments }: ViewedSite) =>
  ['visitors', has_payments ? 'revenue' : 'pageviews'] as const;

/** A site's last thirty days at a glance. */
function SiteCard({ site }: { readonly site: ViewedSite }) {
  return (
    <SiteContext.Provider value={site}>
      <Link to={`/${site.domain}`} className={styles.card}>
        <h2 className={wordsClass('cut')}>{titleOf(site)}</h2>
        <Days />
        <Figures />
      </Link>
    </SiteContext.Provider>
  );
}

function Days() {
  const site = useSite();
  const metrics = metricsOf(site);
  const { data } = useAnswer(DEFAULT_VIEW, { metrics: [...metrics], dimensions: ['time:day'] });
  const lines = metrics.slice(0, site.has_payments ? 2 : 1).map((metric, index) => ({
    name: metric,
    values: data?.results.map(({ metrics }) => toNumber(metrics[index] ?? null)) ?? [],
  }));
  const isQuiet =
    data !== undefined && lines.every(({ values }) => values.every((all) => all === 0));
  // Only asks for all time if the last days are empty.
  const ever = useAnswer({ ...DEFAULT_VIEW, period: 'all' }, { metrics: [...metrics] }, isQuiet);
  if (data === undefined) return <Bones height={56} />;
  const today = data.results.at(-1)?.dimensions[0] ?? '';
  const isLastPartial = isUnfinished(today, 'day', nowIn(site.timezone));
  if (!isQuiet) return <Sparkline lines={lines} isLastPartial={isLastPartial} />;
  const isEmpty = ever.data?.results[0]?.metrics.every((value) => toNumber(value) === 0);
  return (
    <p className={styles.quiet}>
      {isEmpty === true && 'Waiting for the first pageview'}
      {isEmpty === false && 'Nobody came in these days'}
    </p>
  );
}

function Figures() {
  const metrics = metricsOf(useSite());
  const { data, error } = useAnswer(DEFAULT_VIEW, {
    metrics: [...metrics],
    include: toCompare(DEFAULT_VIEW),
  });
  if (error && data === undefined) return <p role="alert">{error.message}</p>;
  const row = data?.results[0];
  return (
    <dl className={styles.figures}>
      {metrics.map((metric, index) => {
        const value = row?.metrics[index] ?? null;
        const before = row?.comparison?.metrics[index] ?? null;
        const isQuiet = toNumber(value) === 0 && toNumber(before) === 0;
        const change = row && !isQuiet && changeOf(metric, toNumber(value), toNumber(before));
        return (
          <div key={metric}>
            <dt>{formOf(metric).label}</dt>
            <dd>
              {row === undefined ? (
                <Bones width={72} height={24} />
              ) : (
                <b>
                  <FigureText {...{ metric, value }} />
                </b>
              )}
              {change && <ChangeText change={change} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
