/** The contents of a shared link. */
type SharedView = {
  /** An internal name; the shared page does not show it. */
  readonly name: string;
  readonly panels: readonly string[];
  readonly hasRevenue: boolean;
  /** Query filters that apply to everything the link shows. */
  readonly filters: readonly (readonly unknown[])[];
};

/** A link that shows part of a site to people without a login. */
export type Share = SharedView & {
  readonly id: string;
  readonly siteId: string;
  /** The secret part of its URL. */
  readonly token: string;
  /** Empty if it has no password. */
  readonly passwordHash: string;
  readonly createdAt: number;
  /** The e-mail address of its creator. */
  readonly createdBy: string;
  readonly lastUsedAt: number | undefined;
};

/** A link to create. An empty password means none. */
export type NewShare = SharedView & Pick<Share, 'siteId' | 'createdBy'> & { password: string };
