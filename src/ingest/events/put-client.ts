import type { EventDraft, PutStep, StepPorts } from './event-draft.ts';
import { findAddress } from './put-facts.ts';

/**
 * Puts what the visitor browses with, and whether a bot did it. A bot's event is kept, so that the
 * bots can be shown.
 *
 * - Why a server's own headers do not count: it speaks for someone else's browser, or for none.
 */
export const putClient: PutStep = (draft, { enricher }) => {
  const { event, sender } = draft;
  const isTrusted = sender.trustedSiteId !== undefined;
  const isSilent = isTrusted && event.user_agent === undefined;
  if (!isSilent) {
    const client = enricher.findClient(isTrusted ? { userAgent: event.user_agent } : sender);
    draft.client = client;
    putBot(draft, client.bot.botClass, client.bot.reason);
  }
  if (event.automation === true || event.webdriver === true) {
    putBot(draft, 'automation', 'driven by a program');
  }
  if (draft.botClass === '' && isFromDataCentre(draft, enricher)) {
    putBot(draft, 'data_centre', 'address of a data centre');
  }
};

function putBot(draft: EventDraft, botClass: EventDraft['botClass'], reason: string): void {
  draft.botClass = botClass;
  draft.botReason = reason;
}

function isFromDataCentre(draft: EventDraft, enricher: StepPorts['enricher']): boolean {
  if (draft.site.settings?.dataCentres !== 'bots') return false;
  const address = findAddress(draft);
  return address !== undefined && enricher.isInDataCentre(address);
}
