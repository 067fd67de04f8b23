/** Where an attempt comes from. */
export type TriedFrom = {
  readonly network: string;
  /** Whether many people may come from there, as from a proxy that tells nothing of them. */
  readonly isShared: boolean;
  /** Whether the origin is unverified: an attacker may have forged it, or may share it with other people. */
  readonly isUnproved?: boolean;
};

/** The account that an attempt is made at, with which password, and where it comes from. */
export type SignInTry = TriedFrom & { readonly account: string; readonly password?: string };

/** Browsers that somebody has signed in with before count apart from the network they are in. */
export const KNOWN_BROWSER: TriedFrom = { network: 'a known browser', isShared: true };

/** Where all attempts of a kind count together. */
export const ANYWHERE: TriedFrom = { network: 'anywhere', isShared: true };
