import type { Fault } from '#contract/fault.ts';
import type { Step } from './event-draft.ts';

/** What is wrong with an address that is none. */
export const ADDRESS_FAULT: Fault = {
  path: '/url',
  message: 'must be the address of a page, such as https://example.com/pricing',
};

/** Puts the page's address in its parts. What is no address of the web stays out. */
export const putAddress: Step = (draft) => {
  const { url } = draft.event;
  if (url === undefined) return undefined;
  const address = URL.parse(url);
  if (address === null) return 'invalid_event';
  if (address.protocol !== 'https:' && address.protocol !== 'http:') return 'hostname_not_allowed';
  draft.address = address;
  return undefined;
};
