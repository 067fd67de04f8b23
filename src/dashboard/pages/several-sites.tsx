import { Link } from 'wouter';
import { keptSearch, useParams, useView } from '../address/address.ts';
import { withTexts } from '../address/params.ts';
import { SiteContext, titleOf, useMe, useSite, type ViewedSite } from '../api/account.ts';
import { formatNoun } from '../format/numbers.ts';
import { Card, Columns, Inline, Soft, Stack, wordsClass } from '../ui/layout.tsx';
import { Bones } from '../ui/loaded.tsx';
import { ChoiceMenu } from '../ui/menu/menu.tsx';
import { AttributionMenu } from '../widgets/bar/attribution-menu.tsx';
import { CompareMenu } from '../widgets/bar/bar.tsx';
import { IgnoredLine, MetaLines } from '../widgets/bar/bar-notes.tsx';
import { Filters } from '../widgets/bar/filters.tsx';
import { PeriodMenu } from '../widgets/bar/period-menu.tsx';
import { Chart } from '../widgets/chart/chart.tsx';
import { Cards } from '../widgets/figures/cards.tsx';
import { usePageTitle } from '../widgets/keys/sections.ts';
import { CombinedTable } from '../widgets/sites/combined-table.tsx';
import { SavedSets } from '../widgets/sites/saved-sets.tsx';
import { toOne } from '../widgets/sites/to-one.ts';
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
  const [first] = sites;
  const isOne = sites.length === 1 && first !== undefined;
  const title = isOne ? titleOf(first) : `${sites.length} sites as one`;
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
        <PeriodMenu view={view} onChange={change} />
        <CompareMenu />
        {has_payments && <AttributionMenu view={view} onChange={change} />}
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
  const [, setParams] = useParams();
  const codes = [...new Set([...sites.map((site) => site.currency), ...USUAL, currency])];
  const choices = codes.map((value) => ({ value, label: value }));
  const choose = (code: string) => setParams((now) => withTexts(now, { currency: code }));
  return (
    <ChoiceMenu<string> {...{ name: 'Currency', value: currency, choices, onChoose: choose }} />
  );
}
