import { Suspense } from 'react';
import { Link } from 'wouter';
import { DEFAULT_VIEW, keptSearch, useParams, useTexts, useView } from '../address/address.ts';
import { namePeriod, PERIODS } from '../address/periods.ts';
import { SiteContext, titleOf, toOne, useMe, useSite, type ViewedSite } from '../api/account.ts';
import { toCompare, useAnswer } from '../api/query.ts';
import { isUnfinished, nowIn, unitOf } from '../format/dates.ts';
import { changeOf, formOf } from '../format/metrics.ts';
import { formatNoun, toNumber } from '../format/numbers.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Inline, Soft, wordsClass } from '../ui/layout.tsx';
import { Bones, lazyPart } from '../ui/loaded.tsx';
import { ChoiceMenu } from '../ui/menu/menu.tsx';
import { Sparkline } from '../ui/sparkline.tsx';
import { Filters } from '../widgets/bar/filters.tsx';
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
          <Inline>
            <h1>Sites</h1>
            {sites.length > 0 && <ChoicesOfAll sites={sites} />}
          </Inline>
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
      {sites.length > 1 && <AsOne sites={sites} />}
      <div style={GRID}>
        {sites.map((site) => (
          <div key={site.id} className={styles.place}>
            <SiteCard site={site} />
            {sites.length > 1 && <Tick domain={site.domain} />}
          </div>
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

/** The sites ticked on the page, which the URL names. */
function useTicked(): readonly [readonly string[], (domains: readonly string[]) => void] {
  const [params, set] = useTexts();
  const ticked = (params.get('sites') ?? '').split(',').filter(Boolean);
  return [ticked, (domains) => set({ sites: domains.join() })];
}

/** Leads to the ticked sites as one, or to all. */
function AsOne({ sites }: { readonly sites: readonly ViewedSite[] }) {
  const [view] = useView();
  const [ticked, tick] = useTicked();
  const some = sites.filter(({ domain }) => ticked.includes(domain)).length;
  const chosen: Record<string, string> = some === 0 ? {} : { sites: ticked.join() };
  return (
    <Inline style={{ marginBottom: 16 }}>
      <Link to={`/sites${keptSearch(view, chosen)}`} className={buttonClass()}>
        {some === 0 ? 'See all as one' : `See ${formatNoun(some, 'site')} as one`}
      </Link>
      {some > 0 && (
        <Button look="plain" onClick={() => tick([])}>
          Untick
        </Button>
      )}
      {some === 0 && <Soft>Or tick the ones to add up.</Soft>}
    </Inline>
  );
}

function Tick({ domain }: { readonly domain: string }) {
  const [ticked, tick] = useTicked();
  const isTicked = ticked.includes(domain);
  const others = ticked.filter((each) => each !== domain);
  return (
    <label className={styles.tick}>
      <input
        {...{ type: 'checkbox', 'aria-label': `Add up ${domain}`, checked: isTicked }}
        onChange={() => tick(isTicked ? others : [...others, domain])}
      />
    </label>
  );
}

/** The period and the filters of all cards: days mean those of each site's own time zone. */
function ChoicesOfAll({ sites }: { readonly sites: readonly ViewedSite[] }) {
  const [view, change] = useView();
  return (
    <SiteContext value={toOne(sites)}>
      <ChoiceMenu<string>
        {...{ name: 'Period', label: namePeriod(view.period), value: view.period }}
        choices={PERIODS.map(({ value, label }) => ({ value, label }))}
        onChoose={(chosen) => change({ period: chosen, from: '', to: '' })}
      />
      <Filters view={view} onChange={(filters) => change({ filters })} />
    </SiteContext>
  );
}

const metricsOf = ({ has_payments }: ViewedSite) =>
  ['visitors', has_payments ? 'revenue' : 'pageviews'] as const;

/** A site's period at a glance. */
function SiteCard({ site }: { readonly site: ViewedSite }) {
  const [view] = useView();
  return (
    <SiteContext.Provider value={site}>
      <Link to={`/${site.domain}${keptSearch(view)}`} className={styles.card}>
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
  const [view] = useView();
  const { data } = useAnswer(view, { metrics: [...metrics], dimensions: ['time'] });
  const lines = metrics.slice(0, site.has_payments ? 2 : 1).map((metric, index) => ({
    name: metric,
    values: data?.results.map(({ metrics }) => toNumber(metrics[index] ?? null)) ?? [],
  }));
  const isQuiet =
    data !== undefined && lines.every(({ values }) => values.every((all) => all === 0));
  // Only asks for all time if the last days are empty.
  const ever = useAnswer({ ...DEFAULT_VIEW, period: 'all' }, { metrics: [...metrics] }, isQuiet);
  if (data === undefined) return <Bones height={56} />;
  const times = data.results.map(({ dimensions: [time = ''] }) => time);
  const isLastPartial = isUnfinished(times.at(-1) ?? '', unitOf(times), nowIn(site.timezone));
  if (!isQuiet) return <Sparkline lines={lines} isLastPartial={isLastPartial} />;
  const isEmpty = ever.data?.results[0]?.metrics.every((value) => toNumber(value) === 0);
  return (
    <p className={styles.quiet}>
      {isEmpty === true && 'Waiting for the first pageview'}
      {isEmpty === false && 'Nobody came on these days'}
    </p>
  );
}

function Figures() {
  const metrics = metricsOf(useSite());
  const [view] = useView();
  const { data, error } = useAnswer(view, { metrics: [...metrics], include: toCompare(view) });
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
