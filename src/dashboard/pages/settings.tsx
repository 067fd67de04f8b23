import type { ComponentType } from 'react';
import { Link, Redirect, useParams } from 'wouter';
import { titleOf, useSite } from '../api/account.ts';
import { pillClass, showInRow } from '../ui/button.tsx';
import { Stack, Words } from '../ui/layout.tsx';
import { EmptyNote } from '../ui/loaded.tsx';
import { partsFor, type SETTINGS } from '../widgets/keys/settings-parts.ts';
import { Providers } from '../widgets/providers/providers.tsx';
import { Channels } from '../widgets/settings/channels.tsx';
import { Exports } from '../widgets/settings/exports.tsx';
import { General } from '../widgets/settings/general.tsx';
import { Health } from '../widgets/settings/health.tsx';
import { Keys } from '../widgets/settings/keys.tsx';
import { MailAndAlerts } from '../widgets/settings/mail-and-alerts.tsx';
import { People } from '../widgets/settings/people.tsx';
import { Privacy } from '../widgets/settings/privacy.tsx';
import { Script } from '../widgets/settings/script.tsx';
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
