import { BlockList } from 'node:net';
import { type Exclusions, sortExclusions } from '#domain/site/exclusions.ts';
import { isPathAmong } from '#domain/site/mask-path.ts';
import { addRange, isAmong } from '#enrich/data-centres.ts';
import type { DropStep } from './event-draft.ts';
import { addressOf } from './put-facts.ts';

/** Drops events that the site's settings exclude: by address, country, path or host. */
export const dropExcluded: DropStep = (draft) => {
  const { site, place, address: page } = draft;
  const list = site.settings?.exclude;
  if (list === undefined) return undefined;
  const { ranges, countries, paths, hosts } = toFinder(list);
  const address = addressOf(draft);
  const isExcluded =
    (address !== undefined && isAmong(ranges, address)) ||
    countries.includes(place.country) ||
    (page !== undefined && (hosts.includes(page.hostname) || isPathAmong(page.pathname, paths)));
  return isExcluded ? 'excluded' : undefined;
};

type Finder = Omit<Exclusions, 'addresses'> & { readonly ranges: BlockList };

const finders = new WeakMap<readonly string[], Finder>();

function toFinder(list: readonly string[]): Finder {
  const known = finders.get(list);
  if (known !== undefined) return known;
  const { addresses, ...others } = sortExclusions(list);
  const ranges = new BlockList();
  for (const each of addresses) addRange(ranges, each);
  const finder = { ...others, ranges };
  finders.set(list, finder);
  return finder;
}
