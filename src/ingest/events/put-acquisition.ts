import type { Step } from './event-draft.ts';

/** Puts where the visitor came from. Only a pageview is an arrival. */
export const putAcquisition: Step = (draft, { enricher }) => {
  const { event, site } = draft;
  if (event.type !== 'pageview' || event.url === undefined) return undefined;
  draft.acquisition = enricher.findAcquisition({
    url: event.url,
    referrer: event.referrer ?? '',
    siteHosts: [site.domain, ...site.allowedHosts],
  });
  return undefined;
};
