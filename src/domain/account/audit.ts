/** A change that a user made. `about` names its object: a key's name, an e-mail address, setting names. */
export type AuditedChange = {
  /** Empty if the change belongs to no site. */
  readonly siteId: string;
  readonly what: string;
  readonly about: string;
};

/** A recorded change. `who` is the user's e-mail address at the time, because people may be removed. */
export type AuditEntry = AuditedChange & {
  readonly at: number;
  readonly userId: string;
  readonly who: string;
};

/** Who made a change. */
export type Who = { readonly id: string; readonly email: string };

/** The changes made by commands name nobody. */
export const COMMAND_LINE: Who = { id: '', email: 'command line' };

/** How many changes are listed. */
export const AUDIT_LIMIT = { max: 1_000, byDefault: 100 } as const;
