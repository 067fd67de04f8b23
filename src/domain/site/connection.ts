/** A site's connection to a payment provider. */
export type Connection = {
  readonly id: string;
  readonly siteId: string;
  /** The provider's name, such as `stripe`. */
  readonly provider: string;
  readonly name: string;
  /** Its secrets, encrypted. */
  readonly sealed: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly createdAt: number;
  readonly lastEventAt: number | undefined;
  readonly lastError: string | undefined;
  readonly lastErrorAt: number | undefined;
};

/** The request to add a connection. */
export type NewConnection = Pick<
  Connection,
  'siteId' | 'provider' | 'name' | 'sealed' | 'settings'
>;
