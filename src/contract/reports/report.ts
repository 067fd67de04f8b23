import Type, { type TProperties } from 'typebox';
import { optional } from '../optional.ts';
import { MONEY_META, QUERY_FIELDS, Strict, Understood } from '../query-fields.ts';

type None = Record<never, never>;

/** A query for a report: the fields of every query, those that may be left out, and those it needs. */
export const ReportQuery = <Own extends TProperties, Needed extends TProperties = None>(
  own: Own,
  needed = {} as Needed,
) => Strict({ ...QUERY_FIELDS, ...needed, ...optional(own) });

/** What a report's answer has: of each row, beside the rows, of its meta, and of the query's own fields. */
type Parts<Row, Query, Beside, Meta> = {
  readonly row: Row;
  readonly query: Query;
  readonly beside?: Beside;
  readonly meta?: Meta;
  /** What else to know about the query, as it was understood. */
  readonly note?: string;
};

/** The answer to a report. */
export const ReportAnswer = <
  Row extends TProperties,
  Query extends TProperties,
  Beside extends TProperties = None,
  Meta extends TProperties = None,
>({
  row,
  query,
  beside = {} as Beside,
  meta = {} as Meta,
  note,
}: Parts<Row, Query, Beside, Meta>) =>
  Type.Object({
    results: Type.Array(Type.Object(row)),
    ...beside,
    meta: Type.Object({ ...meta, ...MONEY_META }),
    query: Understood(query, note),
  });
