import { creditAtSql } from '../../attribution/credit-at.ts';
import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { IS_SOMEBODY } from '../../query/sql/person-numbers.ts';
import { all, byPeople, within } from '../../query/sql/rows.ts';
import { wildcardSql } from '../../query/sql/wildcard.ts';
import { withOpenVisitSql } from '../steps/open-visit.ts';
import type { Step, Who } from '../steps/step.ts';
import { stepSql } from '../steps/step-events.ts';
import { eventsOfSql, joinWhoPaid, whoSql, whoText } from '../steps/who.ts';

/** Which deeds are meant, and what is to be known of them. */
export type MeantDeeds = {
  /** Only what is this step; all pages, goals and payments when left out. */
  readonly step: Step | undefined;
  readonly by: Who;
  /** Its period is all that is looked at. */
  readonly plan: Scope;
  /** Patterns of paths that are one page. */
  readonly fold: readonly string[];
  readonly tellsVisit: boolean;
  readonly tellsText: boolean;
};

/** What begins the text of a deed of each kind: in the same millisecond pages come first. */
export const DEED_MARKS = { page: '1', goal: '2', payment: '3' } as const;

/**
 * SQL of what people did: `who`, `at` (milliseconds), and `deed`, a text that begins with its mark and
 * holds the path, the name of the goal or the kind of payment.
 *
 * - Shape: with `visit`, for a payment the one that was open, and `who_text`, where these are to be told.
 */
export function deedsSql(meant: MeantDeeds, bind: Bind): string {
  const { step } = meant;
  const events = step?.of === 'payment' ? [] : [eventsSql(meant, bind)];
  const payments = step === undefined || step.of === 'payment' ? [paymentsSql(meant, bind)] : [];
  return [...events, ...payments].join('\nUNION ALL\n');
}

function eventsSql({ step, by, plan, fold, ...meant }: MeantDeeds, bind: Bind): string {
  const folds = fold.map(
    (pattern) => `${wildcardSql('path', pattern, bind)}, ${bind(pattern, 'String')}`,
  );
  const page = folds.length === 0 ? 'path' : `multiIf(${folds.join(', ')}, path)`;
  const { page: pageMark, goal } = DEED_MARKS;
  const columns = [
    'toInt64(toUnixTimestamp64Milli(occurred_at)) AS at',
    `if(type = 'goal', concat('${goal}', name), concat('${pageMark}', ${page})) AS deed`,
    ...(meant.tellsVisit ? ['visit_id AS visit'] : []),
  ];
  const where = all(
    within('occurred_at', plan, bind),
    byPeople(plan),
    IS_SOMEBODY,
    step === undefined ? "type IN ('pageview', 'goal')" : `(${stepSql(step, bind)})`,
  );
  return eventsOfSql(by, plan, { columns, where, tellsText: meant.tellsText }, bind);
}

function paymentsSql({ step, by, plan, ...meant }: MeantDeeds, bind: Bind): string {
  const text = meant.tellsText ? ', who_text' : '';
  const made = `
    SELECT ${whoSql(by, plan)} AS who, toInt64(${creditAtSql(plan, bind)}) AS at,
      concat('${DEED_MARKS.payment}', multiIf(amount_minor = 0, 'trial', renewal = 1, 'renewal', 'new')) AS deed
      ${meant.tellsText ? `, ${whoText(by, plan)} AS who_text` : ''}
    FROM payments FINAL ${joinWhoPaid(by, plan, bind)}
    WHERE ${all(
      within('occurred_at', plan, bind),
      "kind = 'payment'",
      `${whoText(by, plan)} != ''`,
      step === undefined ? undefined : stepSql(step, bind),
    )}`;
  if (!meant.tellsVisit) return `SELECT who, at, deed${text} FROM (${made})`;
  return `SELECT who, at, deed, visit${text} FROM (${withOpenVisitSql(made, by, plan, bind)})`;
}
