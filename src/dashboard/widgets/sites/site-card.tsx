import { Link } from 'wouter';
import { DEFAULT_VIEW } from '../../address/address.ts';
import { SiteContext, titleOf, useSite, type ViewedSite } from '../../api/account.ts';
import { toCompare, useAnswer } from '../../api/query.ts';
import { changeOf } from '../../format/change.ts';
import { isUnfinished, nowIn } from '../../format/dates.ts';
import { formOf } from '../../format/metrics.ts';
import { toNumber } from '../../format/numbers.ts';
import { Bones } from '../../ui/note.tsx';
import { Sparkline } from '../../ui/pictures/sparkline.tsx';
import { FigureText } from '../figures/figure.tsx';
import styles from './site-card.module.css';

const metricsOf = ({ has_payments }: ViewedSite) =>
  ['visitors', has_payments ? 'revenue' : 'pageviews'] as const;

/** A site's last thirty days at a glance. */
export function SiteCard({ site }: { readonly site: ViewedSite }) {
  return (
    <SiteContext.Provider value={site}>
      <Link to={`/${site.domain}`} className={styles.card}>
        <h2 className={styles.name}>{titleOf(site)}</h2>
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
              {change && <em data-mood={change.mood}>{change.text}</em>}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
