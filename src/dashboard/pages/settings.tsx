import { Link, useParams } from 'wouter';
import { useSite } from '../account.ts';
import { EmptyNote } from '../ui/note.tsx';
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

const PARTS = [
  { path: 'general', label: 'General', part: General, isForAdmins: true },
  { path: 'privacy', label: 'Privacy', part: Privacy, isForAdmins: true },
  { path: 'channels', label: 'Channels', part: Channels, isForAdmins: true },
  { path: 'script', label: 'Script', part: Script, isForAdmins: false },
  { path: 'keys', label: 'API keys', part: Keys, isForAdmins: true },
  { path: 'people', label: 'People', part: People, isForAdmins: true },
  { path: 'mail', label: 'Mail and alerts', part: MailAndAlerts, isForAdmins: false },
  { path: 'sharing', label: 'Sharing', part: Sharing, isForAdmins: true },
  { path: 'exports', label: 'Exports', part: Exports, isForAdmins: false },
  { path: 'health', label: 'Health', part: Health, isForAdmins: false },
] as const;

/** A site's settings, one section at a time. */
export function SettingsPage() {
  const { domain, role } = useSite();
  const { part: path = '' } = useParams<{ readonly part?: string }>();
  const parts = PARTS.filter(({ isForAdmins }) => !isForAdmins || role !== 'viewer');
  const Part = parts.find((each) => each.path === path)?.part;
  return (
    <>
      <h1 className={styles.title}>Settings of {domain}</h1>
      <div className={styles.page}>
        <nav className={styles.parts} aria-label="Settings">
          {parts.map((each) => (
            <Link
              key={each.path}
              to={`/${domain}/settings/${each.path}`}
              className={styles.part}
              aria-current={each.path === path ? 'page' : false}
              ref={each.path === path ? showInRow : undefined}
            >
              {each.label}
            </Link>
          ))}
        </nav>
        <div className={styles.content}>
          {Part ? (
            <Part />
          ) : (
            <EmptyNote>This page does not exist, or you do not have access to it.</EmptyNote>
          )}
        </div>
      </div>
    </>
  );
}

/** On phones the sections scroll sideways: keep the open one in view. */
function showInRow(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center' });
}
