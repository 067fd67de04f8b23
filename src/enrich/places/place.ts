/** A visitor's location, derived from the IP address. Unknown parts are empty. */
export type Place = {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
};

/** An unknown location. */
export const NOWHERE: Place = { country: '', region: '', city: '' };
