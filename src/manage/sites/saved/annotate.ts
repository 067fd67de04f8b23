import type { Annotation } from '#contract/sites/saved.ts';
import type { Site } from '#domain/site/site.ts';
import type { Credential } from '#server/requests/authenticate.ts';
import type { UserAccounts } from '../../ports.ts';
import { noteAdded, type SavedForm, saveItem, toSavedAnswer, toWho } from './save-item.ts';

/** A note on the chart as it is sent. */
type Note = Pick<Annotation, 'at' | 'text'>;

/** Saves a note of a key, which has been checked. Refuses a day that does not exist. */
export async function annotate(
  accounts: Pick<UserAccounts, 'audit' | 'saved'>,
  { site, key, note }: { readonly site: Site; readonly key: Credential; readonly note: Note },
): Promise<Annotation> {
  const saved = await saveItem(accounts.saved, ANNOTATIONS, site, { content: note });
  await noteAdded(accounts, site, { saved, form: ANNOTATIONS, who: toWho(key) });
  return { ...note, ...toSavedAnswer(saved) };
}

/** Notes on the chart. */
export const ANNOTATIONS: SavedForm = {
  ...{ kind: 'annotation', max: 500 },
  findFaults: (_site, { at }) =>
    isMoment(String(at))
      ? []
      : [{ path: '/at', message: 'must be a day (2026-11-09) or an instant with an offset' }],
};

function isMoment(text: string): boolean {
  try {
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return Temporal.PlainDate.from(text) !== undefined;
    return Temporal.Instant.from(text) !== undefined;
  } catch {
    return false;
  }
}
