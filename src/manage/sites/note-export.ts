import type { Credential } from '#server/requests/authenticate.ts';
import type { UserAccounts } from '../ports.ts';
import { toWho } from './saved/save-item.ts';

type Stores = Pick<UserAccounts, 'audit'> & {
  findEmail(userId: string): Promise<string | undefined>;
};

/** Creates what records in the audit log that a key, or a user by their session, exported personal data. */
export function createNoteExport({ audit, findEmail }: Stores) {
  return async (key: Credential, about: string): Promise<void> => {
    const email = key.userId && (await findEmail(key.userId));
    const who = email ? { id: key.id, email } : toWho(key);
    await audit.note(who, { siteId: key.siteId, what: 'personal data exported', about });
  };
}
