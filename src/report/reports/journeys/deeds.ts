import type { Bind } from '../../dimension.ts';
import { wildcardSql } from '../../query/sql/wildcard.ts';
import { actsSql, type Sought } from '../steps/acts.ts';
import type { Step } from '../steps/step.ts';
import { stepSql } from '../steps/step-events.ts';

/** Which deeds are meant, and what is to be known of them. */
export type MeantDeeds = Sought & {
  /** Only what is this step; all pages, goals and payments when left out. */
  readonly step: Step | undefined;
  /** Patterns of paths that are one page. */
  readonly fold: readonly string[];
};

/** What begins the text of a deed of each kind: in the same millisecond pages come first. */
export const DEED_MARKS = { page: '1', goal: '2', payment: '3' } as const;

const PAYMENT_DEED = `concat('${DEED_MARKS.payment}',
  multiIf(amount_minor = 0, 'trial', renewal = 1, 'renewal', 'new'))`;

/**
 * SQL of what people did, as {@link actsSql} has it: `at` (milliseconds), and `deed`, a text that begins
 * with its mark and holds the path, the name of the goal or the kind of payment.
 */
export function deedsSql(meant: MeantDeeds, bind: Bind): string {
  const { step } = meant;
  const only = step && `(${stepSql(step, bind)})`;
  const rows = (deed: string, where: string | undefined) => ({
    columns: (at: string) => ({ at: `toInt64(${at})`, deed }),
    where,
  });
  const isOfEvents = step?.of !== 'payment';
  const isOfPayments = step === undefined || step.of === 'payment';
  const events = isOfEvents
    ? rows(eventDeed(meant.fold, bind), only ?? "type IN ('pageview', 'goal')")
    : undefined;
  const payments = isOfPayments ? rows(PAYMENT_DEED, only) : undefined;
  return actsSql(meant, { events, payments }, bind);
}

function eventDeed(fold: readonly string[], bind: Bind): string {
  const folds = fold.map(
    (pattern) => `${wildcardSql('path', pattern, bind)}, ${bind(pattern, 'String')}`,
  );
  const page = folds.length === 0 ? 'path' : `multiIf(${folds.join(', ')}, path)`;
  return `if(type = 'goal', concat('${DEED_MARKS.goal}', name), concat('${DEED_MARKS.page}', ${page}))`;
}
