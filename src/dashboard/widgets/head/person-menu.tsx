import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useMe } from '../../account.ts';
import { request } from '../../api.ts';
import { forgetAnswers } from '../../kept-answers.ts';
import { Menu, MenuChoices, MenuHeading, MenuItem, MenuLine } from '../../ui/menu/menu.tsx';
import { chooseTheme, readTheme, type Theme } from '../../ui/theme.ts';
import styles from './head.module.css';

const THEMES = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

/** The user menu: who is signed in, the theme, and sign-out. */
export function PersonMenu() {
  const { data } = useMe();
  const [theme, setTheme] = useState<Theme>(readTheme);
  const [, navigate] = useLocation();
  const client = useQueryClient();
  const name = data?.user.name ?? '';
  const signOut = async () => {
    await request('/api/auth/sign-out', { method: 'POST', body: {} });
    client.clear();
    forgetAnswers();
    navigate('/sign-in');
  };
  return (
    <Menu
      label={toInitials(name)}
      name={`${toInitials(name)}: account of ${name}`}
      className={styles.person ?? ''}
      align="end"
    >
      <MenuHeading>{data?.user.email}</MenuHeading>
      <MenuChoices
        value={theme}
        choices={THEMES}
        onChoose={(chosen) => {
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      />
      <MenuLine />
      <MenuItem render={<Link to="/account" />}>Your account</MenuItem>
      <MenuItem onClick={() => void signOut()}>Sign out</MenuItem>
    </Menu>
  );
}

/** The initials of the first and last name. */
function toInitials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  const [first = '?', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
  return `${[...first][0] ?? ''}${[...last][0] ?? ''}`.toUpperCase();
}
