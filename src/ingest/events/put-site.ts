import type { Step } from './event-draft.ts';

/** Puts the site that the event names by id or domain. A key speaks for its own site only. */
export const putSite: Step = (draft, { sites }) => {
  const site = sites.findSite(draft.event.site);
  const { trustedSiteId } = draft.sender;
  if (trustedSiteId !== undefined && site?.id !== trustedSiteId) return 'site_of_another_key';
  if (site === undefined) return 'unknown_site';
  draft.site = site;
  return undefined;
};
