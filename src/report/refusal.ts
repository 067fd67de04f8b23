import type { Fault } from '#contract/fault.ts';

/** Why a query is not answered: every fault found in it. */
export type Refusal = {
  readonly type: 'invalid_request';
  readonly details: readonly Fault[];
};
