/**
 * The same world, which each provider tells in its own events. Anna buys, gets a part back, and a second refund fails;
 * Ben buys and gets all back; Carl tries and stays; Dora subscribes and is charged again; Emil and Fay dispute.
 */
export const WORLD = {
  sale: '49.00 new, anna, refunded 10.00',
  returned: '20.00 new, ben, refunded 20.00',
  trial: '0.00 trial, carl',
  converted: '9.00 new, carl',
  first: '15.00 new, dora',
  renewal: '15.00 renewal, dora',
  won: '30.00 new, emil, dispute won',
  lost: '40.00 new, fay, dispute lost',
} as const;

/** What a provider cannot say of a part of the world: what is left of it, and why. */
export type Gaps = {
  readonly [Part in keyof typeof WORLD]?: readonly [left: string | undefined, why: string];
};

/** What a provider's events must add up to. */
export function expectedOf(currency: string, gaps: Gaps): string[] {
  const parts = Object.keys(WORLD) as (keyof typeof WORLD)[];
  return parts
    .flatMap((part) => {
      const gap = gaps[part];
      return gap === undefined ? WORLD[part] : (gap[0] ?? []);
    })
    .map((line) => (/ [A-Z]{3} /.test(line) ? line : line.replace(' ', ` ${currency} `)))
    .toSorted();
}
