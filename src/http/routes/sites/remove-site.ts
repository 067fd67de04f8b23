import type { Person } from '#accounts/person.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import { siteOfPath } from './site-request.ts';

/** Removes a site by id or domain, with its keys and saved items. Throws if there is none. */
export function removeSite(deps: ReadDeps, person: Person, idOrDomain: string) {
  const { id, domain } = siteOfPath(deps, { id: idOrDomain });
  deps.siteStore.removeSite(id);
  deps.accounts.saved.removeAll(id);
  deps.accounts.notices.removeAll(id);
  deps.accounts.audit.note(person, { siteId: id, what: 'site removed', about: domain });
  return { id, domain, removed: true as const };
}
