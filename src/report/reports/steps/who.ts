import type { Bind } from '../../dimension.ts';
import type { Scope } from '../../query/plan/plan.ts';
import { joinNumbers, personNumber } from '../../query/sql/person-numbers.ts';
import { joinPayers, joinPersons, personSql } from '../../query/sql/persons.ts';
import type { Who } from './step.ts';

/** SQL of whose a row is, over rows joined by {@link joinWho} or {@link joinWhoPaid}; empty for nobody known. */
export function whoText(by: Who, plan: Scope): string {
  return by === 'person' ? personSql(plan) : 'visitor_id';
}

/**
 * SQL of the same in 64 bits.
 *
 * Why: millions are told apart by it, in half the time and memory of texts; as `distinct` in metric.ts.
 */
export function whoSql(by: Who, plan: Scope): string {
  return `cityHash64(${whoText(by, plan)})`;
}

/** SQL that joins rows of visitors with whose they are. */
export function joinWho(by: Who, plan: Scope, bind: Bind): string {
  return by === 'person' ? joinPersons(plan, bind) : '';
}

/** SQL that joins rows of `payments` with whose they are. */
export function joinWhoPaid(by: Who, plan: Scope, bind: Bind): string {
  return by === 'person' ? joinPayers(plan, bind) : '';
}

/** SQL of whose a row is in 64 bits, over rows with a `visitor` that are joined by {@link joinWhoNumbers}. */
export function whoNumber(by: Who, plan: Scope): string {
  return by === 'person' ? personNumber(plan) : 'visitor';
}

/** SQL that joins rows with a `visitor` with whose they are. */
export function joinWhoNumbers(by: Who, plan: Scope, bind: Bind): string {
  return by === 'person' ? joinNumbers(plan, bind) : '';
}
