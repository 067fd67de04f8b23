import type { Bind } from '../dimension.ts';
import type { Question } from '../question.ts';
import { joinPayers, joinPersons, PERSON } from '../sql/persons.ts';
import type { Who } from './step.ts';

/** SQL of whose a row is, over rows joined by {@link joinWho} or {@link joinWhoPaid}; empty for nobody known. */
export function whoText(by: Who): string {
  return by === 'person' ? PERSON : 'visitor_id';
}

/**
 * SQL of the same in 64 bits.
 *
 * Why: millions are told apart by it, in half the time and memory of texts; as `distinct` in metric.ts.
 */
export function whoSql(by: Who): string {
  return `cityHash64(${whoText(by)})`;
}

/** SQL that joins rows of visitors with whose they are. */
export function joinWho(by: Who, question: Question, bind: Bind): string {
  return by === 'person' ? joinPersons(question, bind) : '';
}

/** SQL that joins rows of `payments` with whose they are. */
export function joinWhoPaid(by: Who, question: Question, bind: Bind): string {
  return by === 'person' ? joinPayers(question, bind) : '';
}
