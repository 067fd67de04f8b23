import type { PaymentKind } from '#contract/step.ts';
import type { Period } from '#domain/time/period.ts';
import { DAY_MS } from '../../query/sql/rows.ts';

/** Something that visitors do, parsed. */
export type Step =
  | {
      readonly of: 'page' | 'goal';
      /** The path or name; `*` stands for anything but a slash, `**` for anything. */
      readonly pattern: string;
    }
  | { readonly of: 'payment'; readonly kind: PaymentKind };

/** Whose deeds are put together: visitors, or the persons they are. */
export type Who = 'visitor' | 'person';

/**
 * How far apart what belongs together may lie.
 *
 * - Units: milliseconds. What happens exactly so much later still belongs to it.
 */
export type Window = { readonly of: 'visit' } | { readonly of: 'time'; readonly ms: number };

/** All that is looked at: what begins in the period may go on after its end, a visit for another day. */
export function reachOf(period: Period, window: Window): Period {
  const furtherMs = window.of === 'visit' ? DAY_MS : window.ms + 1;
  return { ...period, endsAt: period.endsAt + furtherMs };
}

/** All that is looked at of what ends in the period: a visit may have begun a day before. */
export function reachBefore(period: Period, window: Window): Period {
  const earlierMs = window.of === 'visit' ? DAY_MS : window.ms;
  return { ...period, startsAt: Math.max(0, period.startsAt - earlierMs) };
}
