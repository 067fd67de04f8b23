/** How long something took here, and in the other checkout. */
export type Timing = {
  readonly name: string;
  readonly ms: number;
  readonly againstMs?: number;
  /** How the two checkouts' answers differed, if they did. */
  readonly difference?: string;
};

/** The timings of one table. */
export type TimingSet = {
  readonly name: string;
  readonly timings: readonly Timing[];
  /** All at once, like a browser. */
  readonly atOnce?: Timing;
};

/** The sum of a table's medians: its queries run one by one. */
export function sumOf({ timings }: TimingSet): Timing {
  const sum = (pick: (timing: Timing) => number) =>
    timings.reduce((total, timing) => total + pick(timing), 0);
  const hasAgainst = timings.every(({ againstMs }) => againstMs !== undefined);
  return {
    name: 'all, one after the other',
    ms: sum(({ ms }) => ms),
    ...(hasAgainst && { againstMs: sum(({ againstMs = 0 }) => againstMs) }),
  };
}

/** Ours divided by the other checkout's. */
export function ratioOf({ ms, againstMs }: Timing): number | undefined {
  return againstMs === undefined ? undefined : ms / againstMs;
}
