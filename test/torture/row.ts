/** What a rule's check found: nothing when it holds, else what is wrong. */
export type Check = {
  readonly rule: string;
  readonly failure: string | undefined;
  /** Only a machine that does nothing else can judge it: `--busy` reports it and fails for nothing of it. */
  readonly needsQuiet: boolean;
};

/** What one run of a row found out. */
export type RowReport = {
  /** Figures in order of appearance: what was done, what the oracle counted. */
  readonly numbers: Readonly<Record<string, number | string>>;
  readonly checks: readonly Check[];
};

/** How one run is planned: the same seed and amount make the same plan. */
export type RowPlan = {
  readonly seed: number;
  /** How much of the row's unit. */
  readonly amount: number;
  /** Progress while it runs. */
  log(line: string): void;
};

/** One row of the torture table. */
export interface Row {
  readonly id: string;
  readonly title: string;
  /** What is counted, and the name of the option that sets it. */
  readonly unit: string;
  /** How much of it `--quick` runs. */
  readonly quick: number;
  readonly full: number;
  /** Why it cannot run on this machine; `undefined` when it can. */
  findObstacle?(): string | undefined;
  run(plan: RowPlan): Promise<RowReport>;
}

/** A list of checks that grows. */
export interface Checks {
  readonly all: readonly Check[];
  /** Holds when `holds` is true; `found` is what was there instead. */
  that(rule: string, holds: boolean, found: unknown): void;
  /** The same, of a rule that only a machine that does nothing else can judge. */
  thatWhenQuiet(rule: string, holds: boolean, found: unknown): void;
  /** Holds when both are the same. */
  equal(rule: string, found: number | string, expected: number | string): void;
}

/** An empty list of checks. */
export function createChecks(): Checks {
  const all: Check[] = [];
  function add(rule: string, holds: boolean, found: unknown, needsQuiet: boolean): void {
    all.push({ rule, failure: holds ? undefined : String(found), needsQuiet });
  }
  const that = (rule: string, holds: boolean, found: unknown) => add(rule, holds, found, false);
  return {
    all,
    that,
    thatWhenQuiet: (rule, holds, found) => add(rule, holds, found, true),
    equal(rule, found, expected) {
      that(rule, found === expected, `${found} instead of ${expected}`);
    },
  };
}

/** Serving again within this, with no operator's step (reliability.md, the promises). */
export const BACK_WITHIN_MS = 5_000;
