import { Suspense } from 'react';
import { useLocation } from 'wouter';
import type { LiveAnswer } from '#contract/live.ts';
import { DEFAULT_VIEW, keptSearch } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import type { ShownMetric } from '../../format/metrics.ts';
import { Card } from '../../ui/card.tsx';
import { lazyPart } from '../../ui/lazy-part.ts';
import styles from './live.module.css';

const WorldMap = lazyPart(() => import('../panels/map/world-map.tsx'), 'WorldMap');

const VISITORS: ShownMetric = 'visitors';
const MEASURE = { metrics: [VISITORS], heads: ['Visitors in 30 minutes'], main: VISITORS };
/** Where a click on a country or row leads: today's matching visitors. */
export const TODAY = { ...DEFAULT_VIEW, period: 'day' };

/** Countries of visitors in the last half hour; a click opens today's. */
export function LiveMap({ countries }: Pick<LiveAnswer, 'countries'>) {
  const { domain } = useSite();
  const [, navigate] = useLocation();
  const places = countries
    .filter(({ value }) => value !== '(none)')
    .map(({ value, visitors }) => ({ code: value, metrics: [visitors.last_30_minutes] }));
  const overview = `/${domain}`;
  return (
    <Card className={styles.map} aria-label="Countries">
      <Suspense fallback={<div className={styles.waitForMap} aria-hidden="true" />}>
        <WorldMap
          {...{ places, measure: MEASURE, view: TODAY, path: overview }}
          hint={places.length > 0 ? 'Point at a country.' : toHint(countries)}
          onChange={(change) => navigate(`${overview}${keptSearch({ ...TODAY, ...change })}`)}
        />
      </Suspense>
    </Card>
  );
}

/** Why the map is empty. */
function toHint(countries: LiveAnswer['countries']): string {
  return countries.length === 0
    ? 'Nobody is on the site.'
    : 'The countries of these visitors are unknown.';
}
