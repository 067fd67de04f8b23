import { type Query, useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { keptSearch, useView } from '../../address/address.ts';
import { titleOf, useLive, useMe, useSite } from '../../api/account.ts';
import { ApiError, request } from '../../api/api.ts';
import { forgetAnswers } from '../../api/kept-answers.ts';
import { formatCount } from '../../format/numbers.ts';
import { pillClass } from '../../ui/button.tsx';
import { Inline, Notice, Words, wordsClass } from '../../ui/layout.tsx';
import { Menu } from '../../ui/menu/menu.tsx';
import { chooseTheme, THEMES, useTheme } from '../../ui/theme.ts';
import { open, useOpening } from '../keys/key-table.ts';
import { namesOfPath, SECTIONS, usePageTitle } from '../keys/sections.ts';
import styles from './head.module.css';
import './shell.css';
import { useEffect, useSyncExternalStore } from 'react';

/** The header of a site's pages: the site, live visitors, and navigation. */
export function Head() {
  const site = useSite();
  const { domain } = site;
  const [view] = useView();
  const [location, navigate] = useLocation();
  const path = location.replace(/\/$/, '');
  usePageTitle(...namesOfPath(path), titleOf(site));
  useOpening('section', (section) => navigate(`/${domain}${section}${keptSearch(view)}`));
  const links = SECTIONS.map(({ label, path: section }) => ({
    label,
    to: `/${domain}${section}${keptSearch(view)}`,
    isHere: section === '' ? path === `/${domain}` : path.startsWith(`/${domain}${section}`),
  }));
  return (
    <header className={styles.head}>
      <Link to="/" aria-label="All sites">
        <Logo />
      </Link>
      <SiteSwitcher />
      <LiveCount />
      <Inline as="nav" gap={4} className={styles.sections} aria-label="Sections">
        {links.map(({ label, to, isHere }) => (
          <Link key={label} to={to} className={pillClass()} aria-current={isHere ? 'page' : false}>
            {label}
          </Link>
        ))}
      </Inline>
      <Menu
        {...{ label: 'Menu', className: pillClass(styles.menu), align: 'end' }}
        entries={links.map(({ label, to, isHere }) => ({
          ...{ label, link: <Link to={to} aria-current={isHere ? 'page' : false} /> },
        }))}
      />
      <HelpMenu />
      <PersonMenu />
    </header>
  );
}

const REFRESH_MS = 15_000;

/** How many visitors were active in the last five minutes, linked to the live page. */
function LiveCount() {
  const site = useSite();
  const { data } = useLive(REFRESH_MS);
  if (data === undefined) return null;
  return (
    <Link
      to={`/${site.domain}/live`}
      className={pillClass()}
      style={{ paddingInline: 0, background: 'none', color: 'inherit' }}
    >
      <Words look={['dot', 'good']} aria-hidden="true" />
      <b>{formatCount(data.visitors.last_5_minutes)}</b>
      <Words look={['soft', 'wide']}> on now</Words>
    </Link>
  );
}

/** The current site and the way to others. */
function SiteSwitcher() {
  const own = useSite();
  const title = titleOf(own);
  const sites = useMe().data?.sites ?? [];
  return (
    <Menu
      label={<Words look="cut">{title}</Words>}
      {...{ name: `Site: ${title}`, className: pillClass(styles.site) }}
      entries={[
        ...sites.map((site) => ({
          label: titleOf(site),
          link: <Link to={`/${site.domain}`} aria-current={site.id === own.id ? 'page' : false} />,
        })),
        'line',
        { label: 'All sites', link: <Link to="/" /> },
        { label: `Settings of ${title}`, link: <Link to={`/${own.domain}/settings/general`} /> },
      ]}
    />
  );
}

const DOCS = (
  <a href="/docs" target="_blank" rel="noreferrer">
    Documentation
  </a>
);

/** Shortcuts, the palette and the documentation. */
function HelpMenu() {
  return (
    <Menu
      {...{ label: '?', name: 'Help', hasArrow: false, className: pillClass(), align: 'end' }}
      entries={[
        { label: 'Keyboard shortcuts', shortcut: '?', onClick: () => open('help') },
        { label: 'Find anything', shortcut: 'Ctrl K', onClick: () => open('palette') },
        { label: 'Documentation', link: DOCS },
      ]}
    />
  );
}

/** The user menu: who is signed in, the theme, and sign-out. */
export function PersonMenu() {
  const { data } = useMe();
  const signOut = useSignOut();
  const name = data?.user.name ?? '';
  const theme = { heading: 'Theme', value: useTheme(), choices: THEMES, onChoose: chooseTheme };
  return (
    <Menu
      {...{ label: toInitials(name), name: `${toInitials(name)}: account of ${name}` }}
      {...{ hasArrow: false, className: wordsClass('badge', 'round', 'tiny'), align: 'end' }}
      entries={[
        { heading: data?.user.email },
        theme,
        'line',
        { label: 'Your account', link: <Link to="/account" /> },
        { label: 'Sign out', onClick: () => void signOut() },
      ]}
    />
  );
}

/** The initials of the first and last name. */
function toInitials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = '?', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
  return `${[...first][0] ?? ''}${[...last][0] ?? ''}`.toUpperCase();
}

/** Signs the user out, and forgets what was shown to them. */
export function useSignOut(): () => Promise<void> {
  const [, navigate] = useLocation();
  const client = useQueryClient();
  return async () => {
    await request('/api/auth/sign-out', { method: 'POST', body: {} });
    client.clear();
    forgetAnswers();
    navigate('/sign-in');
  };
}

/** The page while its content loads; `index.html` has the same, to be seen before the script runs. */
export function Shell() {
  return (
    <div className="shell" aria-busy="true">
      <Logo />
    </div>
  );
}

/** Two streams that merge. */
export function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" fill="none" display="block" aria-hidden="true">
      <g strokeLinecap="round" strokeWidth="2.4">
        <path d="M4 3c0 7 7 6 7 16" stroke="var(--blue-line)" />
        <path d="M18 3c0 7-7 6-7 16" stroke="var(--green-bar)" />
      </g>
    </svg>
  );
}

const TRY_AGAIN_MS = 3_000;

/** Says when the server is unreachable, and retries until it is back. */
export function LostLine() {
  const client = useQueryClient();
  const cache = client.getQueryCache();
  const isLost = useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () => cache.findAll({ type: 'active' }).some(isOutOfReach),
  );
  useEffect(() => {
    if (!isLost) return;
    const again = () => client.refetchQueries({ type: 'active', predicate: isOutOfReach });
    const timer = setInterval(() => void again(), TRY_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isLost, client]);
  if (!isLost) return null;
  return (
    <Notice className={styles.lost}>
      The server cannot be reached. The data shown may be outdated, or of an earlier choice; this
      page refreshes when the connection is back.
    </Notice>
  );
}

/** Failed or paused for lack of a connection. */
function isOutOfReach({ state }: Query): boolean {
  const { error, fetchFailureReason: reason, fetchStatus } = state;
  const failed = fetchStatus === 'idle' ? error : reason;
  return fetchStatus === 'paused' || (failed instanceof ApiError && failed.status === 0);
}
