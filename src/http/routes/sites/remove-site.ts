import type { Person } from '#accounts/person.ts';
import type { ReadDeps } from '../../server/server-deps.ts';
import { siteOfPath } from './site-request.ts';

/** Removes a site by id or domain, with its keys and saved items. Throws if there is none. */
export async function removeSite(deps: ReadDeps, person: Person, idOrDomain: string) {
  const { id, domain } = siteOfPath(deps, { id: idOrDomain });
  await deps.siteStore.removeSite(id);
  await deps.accounts.saved.removeAll(id);
  await deps.accounts.notices.removeAll(id);
  await deps.accounts.audit.note(person, { siteId: id, what: 'site removed', about: domain });
  return { id, domain, removed: true as const };
}
