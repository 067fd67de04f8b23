/** How many of the payments of a site that must be converted again are. */
export type Converting = { readonly converted: number; readonly payments: number };

/** What to say meanwhile. */
export function describeConverting({ converted, payments }: Converting): string {
  return `${toText(converted)} of ${toText(payments)} are done.`;
}

const toText = (count: number) => count.toLocaleString('en');
