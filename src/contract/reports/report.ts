import Type, { type TProperties } from 'typebox';
import { optional } from '../optional.ts';
import { MONEY_META, QUERY_FIELDS, Strict, Understood } from '../query-fields.ts';

type None = Record<never, never>;

/** A query for a report: the fields of every query, plus its own optional and required fields. */
export const ReportQuery = <Own extends TProperties, Required extends TProperties = None>(
  own: Own,
  required = {} as Required,
) => Strict({ ...QUERY_FIELDS, ...required, ...optional(own) });

/** A report's own fields: of each row, besides the rows, in `meta`, and of its query. */
type Parts<Row, Query, Beside, Meta> = {
  readonly row: Row;
  readonly query: Query;
  readonly beside?: Beside;
  readonly meta?: Meta;
  /** A note on how the server understood the query. */
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
