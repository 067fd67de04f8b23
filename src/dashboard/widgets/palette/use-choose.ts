import { useLocation } from 'wouter';
import { keptSearch, useView } from '../../address/address.ts';
import { filterBy } from '../../address/filters.ts';
import { chooseTheme } from '../../ui/theme.ts';
import { useSignOut } from '../head/use-sign-out.ts';
import { open } from '../keys/commands.ts';
import { switchComparison } from '../keys/switch-comparison.ts';
import type { Entry } from './entries.ts';

/** Does what an entry of the palette stands for. */
export function useChoose(): (entry: Entry) => void {
  const [view, change] = useView();
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  return ({ goal }) => {
    if ('path' in goal) navigate(`${goal.path}${keptSearch(view)}`);
    else if ('filters' in goal) change({ filters: goal.filters });
    else if ('value' in goal) {
      change({ filters: filterBy(view.filters, 'is', goal.dimension, goal.value) });
    } else if ('period' in goal) change({ period: goal.period, from: '', to: '' });
    else if ('theme' in goal) chooseTheme(goal.theme);
    else if ('open' in goal) open(goal.open, goal.detail);
    else if (goal.does === 'sign-out') void signOut();
    else change(switchComparison(view));
  };
}
