import type { SavedFunnel, Segment } from '#contract/sites/saved.ts';
import { UNATTRIBUTED } from '#domain/row-labels.ts';
import { isFilterDimension, toChips } from '../../address/filters.ts';
import type { ViewedSite } from '../../api/account.ts';
import type { Answered } from '../../api/query.ts';
import { DIMENSION_GROUPS, nameDimension, OPERATOR_WORDS } from '../../format/dimensions.ts';
import { MODELS } from '../../format/models.ts';
import { nameValue } from '../../format/values.ts';
import { THEMES } from '../../ui/theme.ts';
import { type Command, EVERYWHERE, KEY_GROUPS, type KeyGroup } from '../keys/key-table.ts';
import { PLACES, partsFor } from '../keys/sections.ts';

/** Something the palette can find. */
export type PaletteEntry = {
  readonly group: string;
  readonly label: string;
  readonly keys?: string;
  readonly goal: Command;
};

/** What users have saved for the site. */
export type SavedEntries = {
  readonly segments?: readonly Segment[] | undefined;
  readonly funnels?: readonly SavedFunnel[] | undefined;
};

/** Everything the palette finds from a site's page: pages, periods, filters, sites. */
export function listEntries(
  { domain, role }: Pick<ViewedSite, 'domain' | 'role'>,
  sites: readonly ViewedSite[],
  { segments = [], funnels = [] }: SavedEntries = {},
): PaletteEntry[] {
  return [
    ...segments.flatMap(({ name, filters }): PaletteEntry[] => {
      const chips = toChips(filters);
      return chips ? [{ group: 'Segment', label: name, goal: { view: { filters: chips } } }] : [];
    }),
    ...funnels.map(({ id, name }) => ({
      ...{ group: 'Funnel', label: name },
      goal: { path: `/${domain}/funnels/${id}` },
    })),
    ...toEntries(KEY_GROUPS.filter((group) => group !== EVERYWHERE)),
    ...partsFor(role).flatMap(({ path, label, holds }) =>
      [label, ...holds].map((name) => ({
        ...{ group: 'Settings', label: name },
        goal: { path: `/${domain}/settings/${path}` },
      })),
    ),
    ...MODELS.map(({ value, label }) => ({
      ...{ group: 'Attribution model', label },
      goal: { view: { model: value } },
    })),
    ...DIMENSION_GROUPS.flatMap(({ dimensions }) =>
      dimensions.map((dimension) => ({
        ...{ group: 'Filter by', label: nameDimension(dimension) },
        goal: { open: 'filter', detail: dimension } as const,
      })),
    ),
    { group: 'Share', label: 'Share this view: copy its link', goal: { open: 'share' } },
    ...listEverywhere(sites),
  ];
}

/** What it finds on every page, inside a site or not: sites, help, the account, themes. */
export function listEverywhere(sites: readonly ViewedSite[]): PaletteEntry[] {
  return [
    ...sites.map((site) => ({
      ...{ group: 'Site', label: site.name === '' ? site.domain : `${site.name} · ${site.domain}` },
      goal: { path: `/${site.domain}` },
    })),
    { group: 'Site', label: 'All sites', goal: { path: '/' } },
    ...(sites.length > 1 ? [SEVERAL_SITES] : []),
    ...toEntries([EVERYWHERE]),
    { group: 'Docs', label: 'Documentation', goal: { does: 'read-docs' } },
    ...ACCOUNT.map((label) => ({ group: 'Account', label, goal: { path: '/account' } })),
    ...THEMES.map(({ value, label }) => ({ group: 'Theme', label, goal: { theme: value } })),
    { group: 'Account', label: 'Sign out', goal: { does: 'sign-out' } },
  ];
}

/** The account's page, and what is on it. */
const ACCOUNT = ['Your account', 'Password', 'Two-factor authentication', 'Your own visits'];

const SEVERAL_SITES = { group: 'Site', label: 'Several sites as one', goal: { path: '/sites' } };

/** The sections of sites, for pages outside them. */
export function listSections(sites: readonly ViewedSite[]): PaletteEntry[] {
  return sites.flatMap(({ domain }) =>
    PLACES.map(({ label, path }) => ({
      group: domain,
      label,
      goal: { path: `/${domain}${path}` },
    })),
  );
}

/** What only keys are for. */
const BY_KEY_ALONE = [',', '.', 'Esc', 'Ctrl K', '1 – 8'];

function toEntries(groups: readonly KeyGroup[]): PaletteEntry[] {
  return groups.flatMap(({ name: group, lines }) =>
    lines.flatMap(({ keys, label, command }) =>
      command === undefined || BY_KEY_ALONE.includes(keys)
        ? []
        : [{ group, label, keys, goal: command }],
    ),
  );
}

/** The values that panels have loaded, each of which the palette filters by. */
export function listShownValues(answers: readonly Answered[]): PaletteEntry[] {
  const pairs = answers.flatMap(listPairs).filter(([, value]) => value !== UNATTRIBUTED);
  const distinct = new Map(pairs.map((pair) => [pair.join(' '), pair]));
  return [...distinct.values()].map(([dimension, value]) => ({
    group: `${nameDimension(dimension)} ${OPERATOR_WORDS.is}`,
    label: nameValue(dimension, value),
    goal: { dimension, value },
  }));
}

type Pair = readonly [dimension: string, value: string];

/** The dimension and value of each row, if filters take the dimension. */
function listPairs({ asked, results }: Answered): Pair[] {
  const { dimensions = [], separately = false } = asked;
  const [only = '', ...others] = dimensions;
  if (!separately && others.length > 0) return [];
  return results
    .map(
      ({ dimensions: [first = '', second = ''] }): Pair =>
        separately ? [first, second] : [only, first],
    )
    .filter(([dimension]) => isFilterDimension(dimension));
}
