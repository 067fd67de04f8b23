/** The proof behind an identify: a browser's claim, a signature with the site's secret, or an API key. */
export type Proof = 'claim' | 'signature' | 'key';

/** An identity reported for a visitor. Missing values are empty. */
export type Identity = {
  readonly siteId: string;
  readonly visitorId: string;
  readonly userId: string;
  /** Lower case. */
  readonly email: string;
  readonly proof: Proof;
  readonly at: number;
};
