import { useContext } from 'react';
import { useLocation } from 'wouter';
import { keptSearch, useView } from '../../address/address.ts';
import { filterBy } from '../../address/filters.ts';
import { stepPeriod } from '../../address/periods.ts';
import { SiteContext } from '../../api/account.ts';
import { todayIn } from '../../format/dates.ts';
import { chooseTheme } from '../../ui/theme.ts';
import { cardMetricsOf } from '../figures/card-metrics.ts';
import { useSignOut } from '../head/head.tsx';
import { type Command, open } from '../keys/key-table.ts';

/** Does on the page what a key or an entry of the palette stands for. */
export function useRun(): (command: Command) => void {
  const [view, change] = useView();
  const { compare, filters } = view;
  const site = useContext(SiteContext);
  const [, navigate] = useLocation();
  const signOut = useSignOut();
  const deeds = {
    'switch-comparison': () => change({ compare: compare === 'off' ? 'previous' : 'off' }),
    'clear-filter': () => filters.length > 0 && change({ filters: filters.slice(0, -1) }),
    'sign-out': () => void signOut(),
    'read-docs': () => window.open('/docs', '_blank', 'noreferrer'),
  };
  const toChange = (command: Command) => {
    if ('view' in command) return command.view;
    if ('value' in command) {
      return { filters: filterBy(filters, 'is', command.dimension, command.value) };
    }
    if (site === undefined) return {};
    if ('step' in command) return stepPeriod(view, todayIn(site.timezone), command.step) ?? {};
    const metric = 'card' in command ? cardMetricsOf(site, view)[command.card] : undefined;
    return metric === undefined ? {} : { metric };
  };
  return (command) => {
    if ('path' in command) navigate(`${command.path}${keptSearch(view)}`);
    else if ('section' in command) {
      navigate(`/${site?.domain}${command.section}${keptSearch(view)}`);
    } else if ('open' in command) open(command.open, command.detail);
    else if ('theme' in command) chooseTheme(command.theme);
    else if ('does' in command) deeds[command.does]();
    else change(toChange(command));
  };
}
