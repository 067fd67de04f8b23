/** The parameter of a page's URL that leaves the browser out of a site's figures, or counts it again. */
export const OWN_VISITS_PARAM = 'tributary_own_visits';

/** A link that a user opens in the browser in question. */
export type OwnVisitsLink = {
  readonly id: string;
  readonly siteId: string;
  /** Whether the browser is to be left out, or to count again. */
  readonly isExcluded: boolean;
  /** Whether a page has reported itself under the link. Without cookies it has no visitor id to change. */
  readonly state: 'waiting' | 'done' | 'cookieless';
};
