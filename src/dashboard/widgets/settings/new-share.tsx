import { SHARE_PANEL_NAMES, type SharePanel } from '#contract/sites/share.ts';
import type { ShareAnswer } from '#contract/sites/shares.ts';
import { useView } from '../../address/address.ts';
import { toFilters } from '../../api/query.ts';
import { useChangeOfSite } from '../../api/site-settings.ts';
import { describeFilter } from '../../format/dimensions.ts';
import { Section } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Form, FormFault } from '../../ui/form.tsx';
import styles from './settings.module.css';

const LABELS: Readonly<Record<SharePanel, string>> = {
  figures: 'Figures and chart',
  channels: 'Channels',
  sources: 'Sources',
  campaigns: 'Campaigns',
  referrers: 'Referrers',
  pages: 'Pages',
  entry: 'Entry pages',
  exit: 'Exit pages',
  countries: 'Countries',
  regions: 'Regions',
  cities: 'Cities',
  goals: 'Goals',
  devices: 'Devices',
  browsers: 'Browsers',
  systems: 'Systems',
  hours: 'Hours of the week',
};

/** What a link shows by default. */
const CHOSEN: readonly SharePanel[] = ['figures', 'channels', 'sources', 'pages', 'countries'];

/** A form to create a link, unfiltered or with the URL's filters. */
export function NewShareForm({ onMade }: { readonly onMade: (id: string) => void }) {
  const [view] = useView();
  const filters = toFilters(view.filters);
  const { mutateAsync } = useChangeOfSite<ShareAnswer>();
  const make = async (values: Readonly<Record<string, string>>) => {
    const { name = '', password = '' } = values;
    const body = {
      ...{ name, password, revenue: values.revenue !== undefined, filters },
      panels: SHARE_PANEL_NAMES.filter((panel) => values[`panel-${panel}`] !== undefined),
    };
    onMade((await mutateAsync({ method: 'POST', path: '/shares', body })).id);
  };
  return (
    <Section title="Share part of this site">
      <Form action="Create link" onSubmit={make}>
        <Field
          {...{
            label: 'Name',
            name: 'name',
            maxLength: 100,
            required: true,
            autoComplete: 'off',
          }}
          hint="An internal name, such as “For the agency”."
        />
        <Field
          {...{ label: 'Password', name: 'password', type: 'password' }}
          autoComplete="new-password"
          hint="Optional, at least ten characters. Without one, anybody with the link has access."
        />
        <fieldset className={styles.checks}>
          <legend>Contents</legend>
          {SHARE_PANEL_NAMES.map((panel) => (
            <label key={panel}>
              <input
                type="checkbox"
                name={`panel-${panel}`}
                defaultChecked={CHOSEN.includes(panel)}
              />
              {LABELS[panel]}
            </label>
          ))}
        </fieldset>
        <FormFault of="panels">{() => 'Choose at least one of these.'}</FormFault>
        <label className={styles.checked}>
          <input type="checkbox" name="revenue" /> Show revenue, too
        </label>
        {filters.length > 0 && (
          <p className={styles.soft}>
            The link is limited to {filters.map((each) => describeFilter(each)).join(' and ')}.
          </p>
        )}
      </Form>
    </Section>
  );
}
