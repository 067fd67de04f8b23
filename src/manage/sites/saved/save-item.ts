import type { Fault } from '#contract/fault.ts';
import type { Who } from '#domain/account/audit.ts';
import type { Saved, SavedKind } from '#domain/account/saved.ts';
import type { Site } from '#domain/site/site.ts';
import { refuseFaults } from '#server/errors/errors.ts';
import type { Credential } from '#server/requests/authenticate.ts';
import type { UserAccounts } from '../../ports.ts';
import { assertNewName } from './assert-new-name.ts';

/** A kind of saved item, as everybody saves one. */
export type SavedForm = {
  readonly kind: SavedKind;
  /** The maximum number of shared items, and of each user's own. */
  readonly max: number;
  readonly findFaults: (site: Site, content: Saved['content']) => readonly Fault[];
};

type NewItem = Pick<Saved, 'content'> & {
  /** The owner of a personal item. */
  readonly userId?: string | undefined;
  /** Who saves it. Names are unique among the items that they see. */
  readonly authorId?: string | undefined;
};

/** Saves an item for a site. Refuses invalid content, a name that is taken, and more than the maximum. */
export async function saveItem(
  saved: UserAccounts['saved'],
  form: SavedForm,
  site: Site,
  { content, userId, authorId }: NewItem,
): Promise<Saved> {
  const { kind, max } = form;
  assertFits(form, site, content);
  const seen = await saved.list(site.id, kind, authorId);
  if (seen.filter((each) => each.userId === userId).length >= max) {
    const message = `There are already ${max} ${kind}s. Remove one first.`;
    throw refuseFaults([{ path: '', message }]);
  }
  assertOwnName(form, seen, content);
  return saved.add(site.id, kind, { userId, content });
}

/** Refuses content that the kind does not allow. */
export function assertFits({ findFaults }: SavedForm, site: Site, content: Saved['content']): void {
  const faults = findFaults(site, content);
  if (faults.length > 0) throw refuseFaults([...faults]);
}

/** Names must be unique among the items a user sees. Notes have none. */
export function assertOwnName(
  { kind }: SavedForm,
  seen: readonly Saved[],
  { name }: Saved['content'],
): void {
  if (typeof name !== 'string') return;
  const names = seen.map(({ content }) => content.name);
  assertNewName(name, names, withArticle(kind));
}

/** A kind with its article: `an annotation`. */
export function withArticle(word: string): string {
  return `${word.startsWith('a') ? 'an' : 'a'} ${word}`;
}

/** Records in the audit log who saved an item. */
export function noteAdded(
  { audit }: Pick<UserAccounts, 'audit'>,
  site: Site,
  { saved, form, who }: { readonly saved: Saved; readonly form: SavedForm; readonly who: Who },
): Promise<void> {
  return audit.note(who, {
    siteId: site.id,
    what: `${form.kind} added`,
    about: describeSaved(saved),
  });
}

/** What the audit log calls an item. */
export function describeSaved({ content }: Pick<Saved, 'content'>): string {
  return String(content.name ?? content.text);
}

/** A key as the audit log names it. */
export function toWho({ id }: Credential): Who {
  return { id, email: `API key ${id}` };
}

/** A saved item as an answer. */
export function toSavedAnswer({ id, content, createdAt }: Saved) {
  return { id, ...content, created_at: new Date(createdAt).toISOString() };
}
