import { DEFAULT_VIEW } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { requestFile } from '../../api/api.ts';
import { type Asked, toQuery } from '../../api/query.ts';
import { todayIn } from '../../format/dates.ts';
import { addDays } from '../../ui/calendar/month-weeks.ts';
import { saveBlob, saveUrl } from '../../ui/device.ts';
import { Form, type FormValues, type Option } from '../../ui/form.tsx';
import { Section, Soft } from '../../ui/layout.tsx';

const METRICS = [
  ...['visitors', 'visits', 'pageviews', 'bounce_rate', 'visit_duration'],
  ...['conversions', 'customers', 'payments'],
  ...['revenue', 'new_revenue', 'renewal_revenue', 'refunds'],
];
/** The metrics of page exports. */
const EVENT_METRICS = ['visitors', 'pageviews'];

/** What is exported row by row, without a limit, has no query. */
const KINDS: Readonly<Record<string, { readonly label: string; readonly asked?: Asked }>> = {
  events: { label: 'All events' },
  visits: { label: 'All visits' },
  payments: { label: 'All payments' },
  persons: { label: 'All people' },
  days: { label: 'Figures by day', asked: { metrics: METRICS, dimensions: ['time:day'] } as Asked },
  channels: ofVisits('Figures by channel', 'visit:channel'),
  sources: ofVisits('Figures by source', 'visit:source'),
  campaigns: ofVisits('Figures by campaign', 'visit:campaign'),
  countries: ofVisits('Figures by country', 'visit:country'),
  pages: ofEvents('Figures by page', 'event:page', EVENT_METRICS),
  goals: ofEvents('Figures by goal', 'event:goal', ['visitors', 'conversions']),
};

const FORMATS: Readonly<Record<string, { readonly label: string; readonly accept: string }>> = {
  csv: { label: 'CSV, for spreadsheets', accept: 'text/csv' },
  ndjson: { label: 'NDJSON, one row per line', accept: 'application/x-ndjson' },
  parquet: { label: 'Parquet', accept: 'application/vnd.apache.parquet' },
  arrow: { label: 'Arrow', accept: 'application/vnd.apache.arrow.file' },
};

/** Exports everything, or figures, of any days. */
export function Exports() {
  const site = useSite();
  const today = todayIn(site.timezone);
  const day = { type: 'date', required: true, max: today } as const;
  const save = async ({ kind = '', format = '', from = '', to = '' }: FormValues) => {
    if (from > to) throw new Error('The last day is before the first.');
    const name = `${site.domain}-${kind}-${from}-${to}.${format}`;
    const asked = KINDS[kind]?.asked;
    if (asked === undefined) {
      if (format === 'arrow') throw new Error('Arrow is for figures. Choose another format.');
      const params = new URLSearchParams({ site_id: site.id, format, from, to });
      saveUrl(`/api/v1/exports/${kind}?${params}`, name);
      return `Your browser saves ${name}.`;
    }
    const { accept } = FORMATS[format] ?? { accept: 'text/csv' };
    const view = { ...DEFAULT_VIEW, period: 'custom', from, to };
    const body = toQuery(site, view, asked);
    const file = await requestFile('/api/v1/query', { site: site.id, body, accept });
    saveBlob(file, name);
    return `Saved as ${name}.`;
  };
  return (
    <Section title="Exports">
      <Soft>
        All events, visits, payments and people come row by row, however many there are. Figures
        have up to 10,000 rows; the API has them with any filter and attribution model.
      </Soft>
      <Form
        {...{ action: 'Download', onSubmit: save }}
        fields={[
          { label: 'Content', name: 'kind', options: toOptions(KINDS) },
          { ...day, label: 'From', name: 'from', defaultValue: addDays(today, -29) },
          { ...day, label: 'To', name: 'to', defaultValue: today },
          { label: 'Format', name: 'format', options: toOptions(FORMATS) },
        ]}
      />
    </Section>
  );
}

function toOptions(
  choices: Readonly<Record<string, { readonly label: string }>>,
): readonly Option[] {
  return Object.entries(choices).map(([value, { label }]) => ({ value, label }));
}

function ofVisits(label: string, dimension: string) {
  return ofEvents(label, dimension, METRICS);
}

function ofEvents(label: string, dimension: string, metrics: readonly string[]) {
  const asked = { metrics: [...metrics], dimensions: [dimension], pagination: { limit: 10_000 } };
  return { label, asked: asked as Asked };
}
