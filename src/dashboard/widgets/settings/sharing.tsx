import { useEffect, useRef, useState } from 'react';
import { SHARE_PANEL_NAMES, type SharePanel } from '#contract/sites/share.ts';
import type { ShareAnswer, SharesAnswer } from '#contract/sites/shares.ts';
import { useView } from '../../address/address.ts';
import { useChangeOfSite, useOfSite, useSite } from '../../api/account.ts';
import { toFilters } from '../../api/query.ts';
import { formatInstant } from '../../format/dates.ts';
import { describeFilter } from '../../format/dimensions.ts';
import { formatNoun } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { CopiedText } from '../../ui/copied-text.tsx';
import {
  CheckField,
  Checks,
  Field,
  type FieldProps,
  Form,
  FormFault,
  type FormValues,
} from '../../ui/form.tsx';
import { DividedList, Inline, Section, Soft, Words } from '../../ui/layout.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { FRAME_THEMES } from '../../ui/theme.ts';
import { findTab, PANELS } from '../panels/tabs.ts';
import { RemoveButton } from '../saved/saved.tsx';
import styles from './settings.module.css';
import { type FrameLook, toFrameUrl, toSnippet } from './site-share.ts';

/** Links that show part of the site to people without a login. */
export function Sharing() {
  const [made, setMade] = useState<string>();
  return (
    <Loaded of={useOfSite<SharesAnswer>('/shares')} height={240}>
      {({ shares }) => (
        <>
          <Section title="Shared links">
            {shares.length === 0 && (
              <Soft>
                Nobody without a login can see this site. A link shows the panels that you choose,
                and never individual people or payments.
              </Soft>
            )}
            <DividedList>
              {shares.map((share) => (
                <li key={share.id}>
                  <ShareLines share={share} isOpen={share.id === made} />
                </li>
              ))}
            </DividedList>
          </Section>
          <NewShareForm key={made} onMade={setMade} />
        </>
      )}
    </Loaded>
  );
}

function ShareLines(props: { readonly share: ShareAnswer; readonly isOpen: boolean }) {
  const { share, isOpen } = props;
  const site = useSite();
  const used = share.last_used_at;
  const line = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isOpen) line.current?.focus();
  }, [isOpen]);
  return (
    <details className={styles.share} open={isOpen}>
      <summary ref={line}>
        <strong>{share.name}</strong>{' '}
        <Words look="soft">
          {formatNoun(share.panels.length, 'panel')}
          {share.revenue ? ', with revenue' : ''}
          {share.has_password ? ', with a password' : ''}
          {share.filters.map((each) => `, only where ${describeFilter(each)}`)} ·{' '}
          {used === null ? 'never opened' : `opened ${formatInstant(used, site.timezone)}`}
        </Words>
      </summary>
      <p>Link</p>
      <CopiedText text={share.url} name="The link" />
      <FrameLines share={share} />
      <div>
        <RemoveButton label="Revoke" name={share.name} path={`/shares/${share.id}`}>
          <p>The link and the frames that show it stop working at once.</p>
        </RemoveButton>
      </div>
    </details>
  );
}

/** The frame for another page: how it looks, its snippet, and the frame itself. */
function FrameLines({ share }: { readonly share: ShareAnswer }) {
  const { name, domain } = useSite();
  const [look, setLook] = useState<FrameLook>({ theme: '', accent: '' });
  const [isShown, setShown] = useState(false);
  const url = toFrameUrl(share, look);
  const choose = (chosen: Partial<FrameLook>) => setLook({ ...look, ...chosen });
  return (
    <>
      <p>To embed it in your own page:</p>
      <Inline gap={16}>
        <Field
          {...{ label: 'Theme', value: look.theme, options: FRAME_THEMES }}
          onChange={({ target }) => choose({ theme: target.value })}
        />
        <Field
          {...{ label: 'Accent colour', type: 'color', value: look.accent || OWN_ACCENT }}
          onChange={({ target }) => choose({ accent: target.value })}
        />
        {look.accent !== '' && <Button onClick={() => choose({ accent: '' })}>Our own</Button>}
      </Inline>
      <CopiedText text={toSnippet(url, name || domain)} name="The frame" />
      <div>
        <Button onClick={() => setShown(!isShown)}>{isShown ? 'Hide' : 'Preview'}</Button>
      </div>
      {isShown && <iframe key={url} className={styles.preview} src={url} title="Preview" />}
    </>
  );
}

/** The blue of visitors. */
const OWN_ACCENT = '#3d5fe8';

/** Panels are called as on the overview. */
const labelOf = (name: SharePanel) => findTab(PANELS, name)?.label ?? 'Figures and chart';

/** What a link shows by default. */
const CHOSEN: readonly SharePanel[] = ['figures', 'channels', 'sources', 'pages', 'countries'];

const FIELDS: readonly FieldProps[] = [
  {
    ...{ label: 'Name', name: 'name', maxLength: 100, required: true, autoComplete: 'off' },
    hint: 'An internal name, such as “For the agency”.',
  },
  {
    ...{ label: 'Password', name: 'password', type: 'password', autoComplete: 'new-password' },
    hint: 'Optional, at least ten characters. Without one, anybody with the link has access.',
  },
];

/** A form to create a link, unfiltered or with the URL's filters. */
function NewShareForm({ onMade }: { readonly onMade: (id: string) => void }) {
  const [view] = useView();
  const filters = toFilters(view.filters);
  const { mutateAsync } = useChangeOfSite<ShareAnswer>();
  const make = async (values: FormValues) => {
    const { name = '', password = '' } = values;
    const body = {
      ...{ name, password, revenue: values.revenue !== undefined, filters },
      panels: SHARE_PANEL_NAMES.filter((panel) => values[`panel-${panel}`] !== undefined),
    };
    onMade((await mutateAsync({ method: 'POST', path: '/shares', body })).id);
  };
  return (
    <Section title="Share part of this site">
      <Form action="Create link" onSubmit={make} fields={FIELDS}>
        <Checks
          legend="Contents"
          options={SHARE_PANEL_NAMES.map((name) => ({
            ...{ name: `panel-${name}`, label: labelOf(name) },
          }))}
          chosen={CHOSEN.map((panel) => `panel-${panel}`)}
          isWrapped
        />
        <FormFault of="panels">{() => 'Choose at least one of these.'}</FormFault>
        <CheckField name="revenue">Show revenue, too</CheckField>
        {filters.length > 0 && (
          <Soft>
            The link is limited to {filters.map((each) => describeFilter(each)).join(' and ')}.
          </Soft>
        )}
      </Form>
    </Section>
  );
}
