import { useState } from 'react';
import { useLocation } from 'wouter';
import { keptSearch, useView } from '../../address/address.ts';
import { useSite } from '../../api/account.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { Menu, MenuItem } from '../../ui/menu/menu.tsx';
import { useOpening } from '../keys/commands.ts';

const SHOWN_MS = 2_000;

const WORDS = { ready: 'Share', copied: 'Link copied', failed: 'Copy the URL above' } as const;

/** Copies the URL, which holds the whole view. Admins can also create a public link. */
export function ShareButton() {
  const [state, setState] = useState<keyof typeof WORDS>('ready');
  const [view] = useView();
  const [, navigate] = useLocation();
  const { domain, role } = useSite();
  const share = async () => {
    setState((await copyText(location.href)) ? 'copied' : 'failed');
    setTimeout(() => setState('ready'), SHOWN_MS);
  };
  useOpening('share', () => void share());
  const words = <span aria-live="polite">{WORDS[state]}</span>;
  if (role === 'viewer') {
    return (
      <Button onClick={() => void share()} title="Copies a link to this view">
        {words}
      </Button>
    );
  }
  return (
    <Menu label={words} align="end">
      <MenuItem onClick={() => void share()}>Copy the link to this view</MenuItem>
      <MenuItem onClick={() => navigate(`/${domain}/settings/sharing${keptSearch(view)}`)}>
        Show it to people without a login…
      </MenuItem>
    </Menu>
  );
}
