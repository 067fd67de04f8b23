import { useLocation } from 'wouter';
import { keptSearch, useView } from '../../address/address.ts';
import { filterBy } from '../../address/filters.ts';
import { chooseTheme } from '../../ui/theme.ts';
import { useSignOut } from '../head/head.tsx';
import { type Command, open } from '../keys/key-table.ts';

/** Does on the page what a key or an entry of the palette stands for. */
export function useRun(): (command: Command) => void {
  const [view, change] = useView();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  return (command) => {
    if ('path' in command) navigate(`${command.path}${keptSearch(view)}`);
    else if ('open' in command) open(command.open, command.detail);
    else if ('theme' in command) chooseTheme(command.theme);
    else if ('view' in command) change(command.view);
    else if ('value' in command) {
      change({ filters: filterBy(view.filters, 'is', command.dimension, command.value) });
    } else if (command.does === 'sign-out') void signOut();
    else window.open('/docs', '_blank', 'noreferrer');
  };
}
