import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { QueryAnswer } from '#contract/query.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { keptSearch, useParams, useTexts, useView } from '../address/address.ts';
import { SiteContext, titleOf, toOne, useMe, useSite, type ViewedSite } from '../api/account.ts';
import { isOld, toCompare, useAnswer } from '../api/query.ts';
import { formOf, type ShownMetric } from '../format/metrics.ts';
import { formatNoun, toNumber } from '../format/numbers.ts';
import { nameValue } from '../format/values.ts';
import { Button } from '../ui/button.tsx';
import { Card, CardHead, Columns, Inline, Inset, Soft, Stack, wordsClass } from '../ui/layout.tsx';
import { Bones, Loaded } from '../ui/loaded.tsx';
import { ChoiceMenu } from '../ui/menu/menu.tsx';
import { type Column, Table, type TableOrder } from '../ui/table.tsx';
import { AttributionMenu, CompareMenu } from '../widgets/bar/bar.tsx';
import { IgnoredLine, MetaLines } from '../widgets/bar/bar-notes.tsx';
import { Filters } from '../widgets/bar/filters.tsx';
import { PeriodMenu } from '../widgets/bar/period-menu.tsx';
import { Chart } from '../widgets/chart/chart.tsx';
import { Cards } from '../widgets/figures/cards.tsx';
import { ChangedFigure } from '../widgets/figures/figures.tsx';
import { usePageTitle } from '../widgets/keys/sections.ts';
import { SavedSets } from '../widgets/sites/saved-sets.tsx';
import { PlainFrame } from './site-frame.tsx';

/** Several sites as one. The URL names them, unless they are all. */
export function SeveralSitesPage() {
  const { data } = useMe();
  const [params] = useParams();
  const named = params.get('sites')?.split(',');
  const all = data?.sites ?? [];
  const sites = named === undefined ? all : all.filter(({ domain }) => named.includes(domain));
  const [first] = sites;
  if (data !== undefined && first === undefined) {
    return (
      <PlainFrame title={<h1>Several sites</h1>}>
        <Soft>
          You have none of these sites.{' '}
          <Link to="/" className={wordsClass('link')}>
            All sites
          </Link>
        </Soft>
      </PlainFrame>
    );
  }
  if (first === undefined) return <Bones height={480} />;
  return (
    <SiteContext value={toOne(sites, params.get('currency'))}>
      <SitesAsOne sites={sites} />
    </SiteContext>
  );
}

function SitesAsOne({ sites }: { readonly sites: readonly ViewedSite[] }) {
  const [view, change] = useView();
  const { has_payments, currency } = useSite();
  const [first, second] = sites;
  const title = first && !second ? titleOf(first) : `${sites.length} sites as one`;
  usePageTitle(title);
  const domains = sites.map(({ domain }) => domain);
  const names = new Map(sites.map((site) => [site.domain, titleOf(site)]));
  return (
    <PlainFrame
      title={
        <>
          <Inline gap="8px 16px">
            <h1>{title}</h1>
            <Link
              to={`/${keptSearch(view, { sites: domains.join() })}`}
              className={wordsClass('link')}
            >
              Choose others
            </Link>
          </Inline>
          <SavedSets domains={domains} />
        </>
      }
    >
      <Inline style={{ marginBottom: 12 }}>
        <PeriodMenu />
        <CompareMenu />
        {has_payments && <AttributionMenu />}
        {has_payments && <CurrencyMenu sites={sites} />}
        <Filters view={view} onChange={(filters) => change({ filters })} />
      </Inline>
      <IgnoredLine />
      <MetaLines />
      <Stack>
        <Card aria-label="Figures for the period">
          <Cards />
          <Chart />
        </Card>
        <CombinedTable
          title="Sites"
          dimension="site"
          nameOf={(domain) => (
            <Link to={`/${domain}${keptSearch(view)}`} className={wordsClass('link')}>
              {names.get(domain) ?? domain}
            </Link>
          )}
        />
        <Columns least={420}>
          <CombinedTable title="Channels" dimension="visit:channel" />
          <CombinedTable title="Sources" dimension="visit:source" />
        </Columns>
        <Soft>
          {formatNoun(sites.length, 'site')}, added up. Each has the days of its own time zone.
          Visitors of different sites count as different people, because cookies belong to one site.
          {has_payments && ` Money is converted to ${currency} at the exchange rate of its day.`}
        </Soft>
      </Stack>
    </PlainFrame>
  );
}

/** Common currencies, after those of the sites. */
const USUAL = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'CAD', 'AUD'];

function CurrencyMenu({ sites }: { readonly sites: readonly ViewedSite[] }) {
  const { currency } = useSite();
  const [, set] = useTexts();
  const codes = [...new Set([...sites.map((site) => site.currency), ...USUAL, currency])];
  const choices = codes.map((value) => ({ value, label: value }));
  const choose = (currency: string) => set({ currency });
  return (
    <ChoiceMenu<string> {...{ name: 'Currency', value: currency, choices, onChoose: choose }} />
  );
}

type Row = QueryAnswer['results'][number];

type CombinedTableProps = {
  readonly title: string;
  readonly dimension: string;
  /** How a row is named, if not as everywhere. */
  readonly nameOf?: (value: string) => ReactNode;
};

const WITH_MONEY = ['visitors', 'revenue', 'revenue_per_visitor'] as const;
const WITHOUT_MONEY = ['visitors', 'visits', 'pageviews'] as const;
/** Rows at first. */
const ROWS = 10;

/** The rows of several sites, with their changes; those of sites with a total. */
function CombinedTable({ title, dimension, nameOf }: CombinedTableProps) {
  const [view] = useView();
  const metrics: readonly ShownMetric[] = useSite().has_payments ? WITH_MONEY : WITHOUT_MONEY;
  const [order, setOrder] = useState<TableOrder>({ by: metrics[1] ?? '', direction: 'desc' });
  const [isWhole, setWhole] = useState(dimension === 'site');
  const answer = useAnswer(view, {
    ...{ metrics: [...metrics], dimensions: [dimension] },
    include: { ...toCompare(view), totals: dimension === 'site' },
  });
  const name = ({ dimensions: [value] }: Row) =>
    value === undefined ? 'Total' : (nameOf?.(value) ?? nameValue(dimension, value));
  const columns: readonly Column<Row>[] = [
    { name: 'name', label: title.replace(/s$/, ''), cell: name, isCut: true },
    ...metrics.map((metric, at) => toColumn(metric, at)),
  ];
  return (
    <Card aria-label={title}>
      <CardHead>
        <h2>{title}</h2>
      </CardHead>
      <Loaded
        of={answer}
        isOld={isOld(answer)}
        isInset
        height={200}
        empty={<p>Nobody came in this period.</p>}
      >
        {({ results, totals }) => (
          <>
            <Table
              {...{ label: title, columns, order, onOrder: setOrder, narrow: 'parts' }}
              rows={inOrder(results, metrics, order).slice(0, isWhole ? undefined : ROWS)}
              keyOf={({ dimensions: [value = ''] }) => value}
              total={results.length > 1 ? totals : undefined}
            />
            {!isWhole && results.length > ROWS && (
              <Inset style={{ paddingBlock: '8px 16px' }}>
                <Button onClick={() => setWhole(true)}>Show all {results.length}</Button>
              </Inset>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}

function toColumn(metric: ShownMetric, at: number): Column<Row> {
  return {
    ...{ name: metric, isNumber: true, isSortable: true },
    label: metric === 'revenue_per_visitor' ? 'Per visitor' : formOf(metric).label,
    cell: ({ dimensions: [name], metrics, comparison }) => {
      if (name === UNATTRIBUTED && metric !== 'revenue') return '–';
      const value = metrics[at] ?? null;
      return <ChangedFigure {...{ metric, value, before: comparison?.metrics[at] }} />;
    },
  };
}

function inOrder(rows: readonly Row[], metrics: readonly string[], order: TableOrder): Row[] {
  const at = metrics.indexOf(order.by);
  const sign = order.direction === 'asc' ? 1 : -1;
  const sizeOf = ({ dimensions: [name], metrics }: Row) =>
    name === UNATTRIBUTED ? sign * Number.POSITIVE_INFINITY : toNumber(metrics[at] ?? null);
  return rows.toSorted((one, other) => sign * (sizeOf(one) - sizeOf(other)));
}
