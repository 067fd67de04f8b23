import type { Bind } from '../../dimension.ts';
import type { Query } from '../../query/query.ts';
import { joinNumbers, personNumber } from '../../query/sql/person-numbers.ts';
import { joinPayers, joinPersons, personSql } from '../../query/sql/persons.ts';
import type { Who } from './step.ts';

/** SQL of whose a row is, over rows joined by {@link joinWho} or {@link joinWhoPaid}; empty for nobody known. */
export function whoText(by: Who, query: Query): string {
  return by === 'person' ? personSql(query) : 'visitor_id';
}

/**
 * SQL of the same in 64 bits.
 *
 * Why: millions are told apart by it, in half the time and memory of texts; as `distinct` in metric.ts.
 */
export function whoSql(by: Who, query: Query): string {
  return `cityHash64(${whoText(by, query)})`;
}

/** SQL that joins rows of visitors with whose they are. */
export function joinWho(by: Who, query: Query, bind: Bind): string {
  return by === 'person' ? joinPersons(query, bind) : '';
}

/** SQL that joins rows of `payments` with whose they are. */
export function joinWhoPaid(by: Who, query: Query, bind: Bind): string {
  return by === 'person' ? joinPayers(query, bind) : '';
}

/** SQL of whose a row is in 64 bits, over rows with a `visitor` that are joined by {@link joinWhoNumbers}. */
export function whoNumber(by: Who, query: Query): string {
  return by === 'person' ? personNumber(query) : 'visitor';
}

/** SQL that joins rows with a `visitor` with whose they are. */
export function joinWhoNumbers(by: Who, query: Query, bind: Bind): string {
  return by === 'person' ? joinNumbers(query, bind) : '';
}

/** SQL of rows of `events` with `who`, the columns, and `who_text` where that is to be told. */
export function eventsOfSql(
  by: Who,
  query: Query,
  rows: {
    readonly columns: readonly string[];
    readonly where: string;
    readonly tellsText: boolean;
  },
  bind: Bind,
): string {
  const { columns, where, tellsText } = rows;
  if (tellsText) {
    const whose = [`${whoSql(by, query)} AS who`, ...columns, `${whoText(by, query)} AS who_text`];
    return `SELECT ${whose.join(', ')} FROM events ${joinWho(by, query, bind)} WHERE ${where}`;
  }
  const named = ['visitor', ...columns].join(', ');
  return `
    SELECT ${whoNumber(by, query)} AS who, did.* EXCEPT (visitor)
    FROM (SELECT ${named} FROM events WHERE ${where}) AS did ${joinWhoNumbers(by, query, bind)}`;
}
