/** The result of a rule's check: undefined if it holds, else the fault. */
export type Check = {
  readonly rule: string;
  readonly failure: string | undefined;
  /** Only an otherwise idle machine can judge it: `--busy` reports it but never fails. */
  readonly needsQuiet: boolean;
};

/** The results of one run of a row. */
export type RowReport = {
  /** Figures in order of appearance: what was done, what the oracle counted. */
  readonly numbers: Readonly<Record<string, number | string>>;
  readonly checks: readonly Check[];
};

/** The plan of one run: the same seed and amount make the same plan. */
export type RowPlan = {
  readonly seed: number;
  /** The amount, in the row's unit. */
  readonly amount: number;
  /** Progress while it runs. */
  log(line: string): void;
};

/** One row of the torture table. */
export interface Row {
  readonly id: string;
  readonly title: string;
  /** The unit, and the name of its option. */
  readonly unit: string;
  /** The amount for `--quick`. */
  readonly quick: number;
  readonly full: number;
  /** Why it cannot run on this machine; `undefined` if it can. */
  findObstacle?(): string | undefined;
  run(plan: RowPlan): Promise<RowReport>;
}

/** A growing list of checks. */
export interface Checks {
  readonly all: readonly Check[];
  /** Passes if `holds` is true; `found` is the actual value. */
  that(rule: string, holds: boolean, found: unknown): void;
  /** The same, for a rule that only an otherwise idle machine can judge. */
  thatWhenQuiet(rule: string, holds: boolean, found: unknown): void;
  /** Passes if both are equal. */
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

/** Must serve again within this time, without an operator (reliability.md, the promises). */
export const BACK_WITHIN_MS = 5_000;
