import type { ComponentType } from 'react';
import { Link, Redirect, useParams } from 'wouter';
import type { ScriptAnswer } from '#contract/sites/site.ts';
import { titleOf, useOfSite, useSite } from '../api/account.ts';
import { pillClass, showInRow } from '../ui/button.tsx';
import { Section, Soft, Stack, Words } from '../ui/layout.tsx';
import { EmptyNote, Loaded } from '../ui/loaded.tsx';
import {
  SnippetTabs,
  toPaymentSnippets,
  toTagSnippets,
} from '../widgets/first-steps/snippet-tabs.tsx';
import { partsFor, type SETTINGS } from '../widgets/keys/sections.ts';
import { Providers } from '../widgets/providers/providers.tsx';
import { Channels } from '../widgets/settings/channels.tsx';
import { Exports } from '../widgets/settings/exports.tsx';
import { General } from '../widgets/settings/general.tsx';
import { Health } from '../widgets/settings/health.tsx';
import { Keys } from '../widgets/settings/keys.tsx';
import { MailAndAlerts } from '../widgets/settings/mail-and-alerts.tsx';
import { People } from '../widgets/settings/people.tsx';
import { Privacy } from '../widgets/settings/privacy.tsx';
import styles from '../widgets/settings/settings.module.css';
import { Sharing } from '../widgets/settings/sharing.tsx';
import { Spend } from '../widgets/spend/spend.tsx';

const CONTENTS: Readonly<Record<(typeof SETTINGS)[number]['path'], ComponentType>> = {
  general: General,
  privacy: Privacy,
  channels: Channels,
  script: Script,
  keys: Keys,
  providers: Providers,
  spend: Spend,
  people: People,
  mail: MailAndAlerts,
  sharing: Sharing,
  exports: Exports,
  health: Health,
};

/** A site's settings, one section at a time. */
export function SettingsPage() {
  const site = useSite();
  const { domain, role } = site;
  const { part: path = '' } = useParams<{ readonly part?: string }>();
  const parts = partsFor(role);
  const open = parts.find((each) => each.path === path);
  const Part = open && CONTENTS[open.path];
  if (path === '') return <Redirect to={`/${domain}/settings/${parts[0]?.path}`} replace />;
  return (
    <>
      <Words as="h1" look="broken" style={{ paddingTop: 8 }}>
        Settings of {titleOf(site)}
      </Words>
      <div className={styles.page}>
        <Stack as="nav" gap={2} className={styles.parts} aria-label="Settings">
          {parts.map((each) => (
            <Link
              key={each.path}
              to={`/${domain}/settings/${each.path}`}
              className={pillClass()}
              aria-current={each.path === path ? 'page' : false}
              ref={each.path === path ? showInRow : undefined}
            >
              {each.label}
            </Link>
          ))}
        </Stack>
        <Stack style={{ maxWidth: 760 }}>
          {Part ? (
            <Part />
          ) : (
            <EmptyNote>This page does not exist, or you do not have access to it.</EmptyNote>
          )}
        </Stack>
      </div>
    </>
  );
}

/** The site's tag, and how its backend reports payments. */
function Script() {
  const { domain, currency, role } = useSite();
  return (
    <>
      <Section title="Script">
        <Soft>
          Add it to every page. Script and events use a path unique to this site, which blockers do
          not know.
        </Soft>
        <Loaded of={useOfSite<ScriptAnswer>('/script')} height={96}>
          {({ src }) => <SnippetTabs name="Script" snippets={toTagSnippets({ src, domain })} />}
        </Loaded>
      </Section>
      <Section title="Payments">
        <Soft>
          Your backend reports each payment with the visitor’s cookie and an{' '}
          <Link to={`/${domain}/settings/keys`}>API key</Link>.
          {role === 'owner' && (
            <>
              {' '}
              A <Link to={`/${domain}/settings/providers`}>connected payment provider</Link> reports
              its payments by itself.
            </>
          )}
        </Soft>
        <SnippetTabs
          name="Payment"
          snippets={toPaymentSnippets({ origin: location.origin, currency })}
        />
      </Section>
    </>
  );
}
