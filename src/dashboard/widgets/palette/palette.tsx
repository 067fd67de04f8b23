import { useContext, useState } from 'react';
import type { SegmentsAnswer } from '#contract/sites/saved.ts';
import { useView } from '../../address/address.ts';
import { SiteContext, useMe, useSite } from '../../api/account.ts';
import { useAnswer, useLoadedAnswers } from '../../api/query.ts';
import { useOfSite } from '../../api/site-settings.ts';
import { useSavedFunnels } from '../funnel/use-saved-funnels.ts';
import { listEntries, listEverywhere, listSections, type SavedEntries } from './entries.ts';
import { Finder, type FinderProps } from './finder.tsx';
import { listShownValues } from './shown-values.ts';

type PaletteProps = Pick<FinderProps, 'onClose' | 'typedBefore'>;

/** A search field for every page, site, filter and period; outside a site, for pages and sites. */
export function Palette(props: PaletteProps) {
  return useContext(SiteContext) === undefined ? <OfAllSites {...props} /> : <OfSite {...props} />;
}

function OfSite(props: PaletteProps) {
  const [typed, setTyped] = useState('');
  useValues(typed.trim().length > 1);
  const sites = useMe().data?.sites ?? [];
  const entries = listEntries(useSite(), sites, useSaved());
  const values = listShownValues(useLoadedAnswers());
  const all = [...entries, ...values];
  return (
    <Finder {...props} hint="A page, site, filter or period" entries={all} onType={setTyped} />
  );
}

/** Loads the period's values, so that they are found before a panel has shown them. */
function useValues(isEnabled: boolean): void {
  const [view] = useView();
  const { shared } = useSite();
  const isAsked = isEnabled && shared === undefined;
  const visits = { dimensions: VISIT_DIMENSIONS, separately: true, pagination: { limit: 500 } };
  useAnswer(view, { metrics: ['visitors'], ...visits }, isAsked);
  const pages = { dimensions: ['event:page'], pagination: { limit: 100 } };
  useAnswer(view, { metrics: ['visitors'], ...pages }, isAsked);
}

const VISIT_DIMENSIONS = ['source', 'campaign', 'country', 'browser', 'os'].map(
  (name) => `visit:${name}`,
);

function OfAllSites(props: PaletteProps) {
  const sites = useMe().data?.sites ?? [];
  const entries = [...listEverywhere(sites), ...listSections(sites)];
  return <Finder {...props} hint="A page or site" entries={entries} />;
}

function useSaved(): SavedEntries {
  const segments = useOfSite<SegmentsAnswer>('/segments');
  const funnels = useSavedFunnels();
  return { segments: segments.data?.segments, funnels: funnels.data?.funnels };
}
