import type { EventDraft, PutStep, StepPorts } from './event-draft.ts';
import { addressOf } from './put-facts.ts';

/**
 * Sets the browser, system and device, and the bot verdict. Events of bots are kept, because reports
 * can show them.
 *
 * - Why a server's own headers are ignored: the server reports for another browser, or for none.
 */
export const putClient: PutStep = (draft, { enricher }) => {
  const { event, sender } = draft;
  const isTrusted = sender.trustedSiteId !== undefined;
  const hasNoClient = isTrusted && event.user_agent === undefined;
  if (!hasNoClient) {
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

function putBot(draft: EventDraft, botClass: string, reason: string): void {
  draft.botClass = botClass;
  draft.botReason = reason;
}

function isFromDataCentre(draft: EventDraft, enricher: StepPorts['enricher']): boolean {
  if (draft.site.settings?.dataCentres !== 'bots') return false;
  const address = addressOf(draft);
  return address !== undefined && enricher.isInDataCentre(address);
}
