import { Fragment } from 'react';

/** Text that breaks after a separator where a line is too short, rather than anywhere. Domains of e-mails stay whole. */
export function LongWord({ text }: { readonly text: string }) {
  return text.split(/(?<=@|^[^@]*[._+-])/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts never move.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
