import type { Proof } from './identity.ts';

/** Keys that join visitors: visitor ids, and ids that several visitors may share. */
export type JoiningKind = 'visitor' | 'user' | 'customer' | 'email';

/** A joining key. */
export type PersonKey = { readonly kind: JoiningKind; readonly key: string };

/** The keys of a person. All lists are empty for a visitor without joins. */
export type PersonKeys = {
  readonly visitors: readonly string[];
  readonly users: readonly string[];
  readonly customers: readonly string[];
  readonly emails: readonly string[];
};

/** All identifiers of a person on a site. */
export type Subject = PersonKeys & {
  /** Payments of the person, and their refunds with separate ids. */
  readonly transactions: readonly string[];
};

/** The scope of a request: one visitor, or all visitors of the person. */
export type SubjectScope = 'visitor' | 'person';

/** A reason why a visitor belongs to a person: an identifier, and the source that reported it. */
export type Join = {
  readonly visitorId: string;
  readonly kind: 'user' | 'customer' | 'email';
  readonly key: string;
  readonly source: 'identify' | 'payment';
};

/** An identity reported for a visitor. Missing values are empty; instants are in milliseconds. */
export type StatedIdentity = {
  readonly visitorId: string;
  readonly userId: string;
  readonly email: string;
  readonly proof: Proof;
  readonly firstAt: number;
  readonly lastAt: number;
};

/** A search for persons. */
export type PersonSearch = {
  readonly siteId: string;
  readonly text: string;
  /** Whether to search e-mail addresses and names too. */
  readonly isPersonal: boolean;
};
