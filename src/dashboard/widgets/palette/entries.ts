import type { SavedFunnel, Segment } from '#contract/sites/saved.ts';
import type { Site } from '../../account.ts';
import type { Filter } from '../../address.ts';
import { DIMENSION_GROUPS } from '../../format/dimensions.ts';
import { KEY_GROUPS } from '../keys/key-table.ts';
import { toChips } from '../segments/to-chips.ts';
import { partsFor } from '../settings/parts.ts';

/** Something the palette can find. */
export type Entry = {
  readonly group: string;
  readonly label: string;
  readonly keys?: string;
  readonly goal:
    | { readonly path: string }
    | { readonly period: string }
    | { readonly filters: readonly Filter[] }
    | { readonly open: 'calendar' | 'filter' | 'help'; readonly detail?: string };
};

/** What users have saved for the site. */
export type SavedEntries = {
  readonly segments?: readonly Segment[] | undefined;
  readonly funnels?: readonly SavedFunnel[] | undefined;
};

/** Everything the palette finds from a site's page: pages, periods, filters, sites. */
export function listEntries(
  { domain, role }: Pick<Site, 'domain' | 'role'>,
  sites: readonly Site[],
  { segments = [], funnels = [] }: SavedEntries = {},
): Entry[] {
  return [
    ...segments.flatMap(({ name, filters }): Entry[] => {
      const chips = toChips(filters);
      return chips ? [{ group: 'Segment', label: name, goal: { filters: chips } }] : [];
    }),
    ...funnels.map(({ id, name }) => ({
      ...{ group: 'Funnel', label: name },
      goal: { path: `/${domain}/funnels/${id}` },
    })),
    ...ofKeys(domain),
    ...partsFor(role).map(({ path, label }) => ({
      ...{ group: 'Settings', label },
      goal: { path: `/${domain}/settings/${path}` },
    })),
    ...DIMENSION_GROUPS.flatMap(({ dimensions }) =>
      Object.entries(dimensions).map(([dimension, label]) => ({
        ...{ group: 'Filter by', label },
        goal: { open: 'filter', detail: dimension } as const,
      })),
    ),
    ...sites.map((site) => ({
      ...{ group: 'Site', label: site.domain },
      goal: { path: `/${site.domain}` },
    })),
    { group: 'Site', label: 'All sites', goal: { path: '/' } },
    { group: 'Settings', label: 'Your account', goal: { path: '/account' } },
  ];
}

function ofKeys(domain: string): Entry[] {
  return KEY_GROUPS.flatMap(({ name: group, lines }) =>
    lines.flatMap(({ keys, label, command }): Entry[] => {
      if (command?.does === 'period') return [{ group, label, keys, goal: command }];
      if (command?.does === 'section') {
        return [{ group, label, keys, goal: { path: `/${domain}${command.path}` } }];
      }
      if (command?.does !== 'open' || command.what === 'palette') return [];
      return [{ group, label, keys, goal: { open: command.what } }];
    }),
  );
}
