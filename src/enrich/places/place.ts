/** Where a visitor was, as far as an address shows; what is not known is empty. */
export type Place = {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly region: string;
  readonly city: string;
};

/** Nothing is known. */
export const NOWHERE: Place = { country: '', region: '', city: '' };
