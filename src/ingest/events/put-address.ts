import type { Step } from './event-draft.ts';

/** Puts the page's address in its parts. What is no address of the web stays out. */
export const putAddress: Step = (draft) => {
  const { url } = draft.event;
  if (url === undefined) return undefined;
  const address = URL.parse(url);
  const isWeb = address?.protocol === 'https:' || address?.protocol === 'http:';
  if (address === null || !isWeb) return 'hostname_not_allowed';
  draft.address = address;
  return undefined;
};
