import { useQueryClient } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { useMe } from '../../api/account.ts';
import { request } from '../../api/api.ts';
import { forgetAnswers } from '../../api/kept-answers.ts';
import { wordsClass } from '../../ui/layout.tsx';
import { Menu, MenuChoices, MenuHeading, MenuItem, MenuLine } from '../../ui/menu/menu.tsx';
import { chooseTheme, THEMES, useTheme } from '../../ui/theme.ts';

/** The user menu: who is signed in, the theme, and sign-out. */
export function PersonMenu() {
  const { data } = useMe();
  const signOut = useSignOut();
  const name = data?.user.name ?? '';
  return (
    <Menu
      label={toInitials(name)}
      hasArrow={false}
      name={`${toInitials(name)}: account of ${name}`}
      className={wordsClass('badge', 'round', 'tiny')}
      align="end"
    >
      <MenuHeading>{data?.user.email}</MenuHeading>
      <MenuChoices heading="Theme" value={useTheme()} choices={THEMES} onChoose={chooseTheme} />
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
