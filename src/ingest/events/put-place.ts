import type { EventDraft, Step } from './event-draft.ts';

/** Puts the place that the visitor's address tells. The address itself goes no further. */
export const putPlace: Step = (draft, { enricher }) => {
  const address = findAddress(draft);
  if (address !== undefined) draft.place = enricher.findPlace(address);
  return undefined;
};

/** The visitor's address: a server's own is none. */
export function findAddress({ event, sender }: EventDraft): string | undefined {
  return sender.trustedSiteId === undefined ? sender.address : event.ip;
}
