/**
 * The warehouse says of lines that it cannot read them, however often they come.
 *
 * Why apart from all other complaints: these are set aside in the end, and anything that may pass
 * (a full disk, no memory, a limit) must never cost a batch.
 */
export class RefusedLinesError extends Error {
  constructor(cause: Error) {
    super(cause.message.split('\n')[0] ?? '', { cause });
    this.name = 'RefusedLinesError';
  }
}

/** ClickHouse's names for values that it cannot read or hold. */
const REFUSALS: ReadonlySet<string | undefined> = new Set([
  'ARGUMENT_OUT_OF_BOUND',
  'ATTEMPT_TO_READ_AFTER_EOF',
  'CANNOT_CONVERT_TYPE',
  'CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN',
  'CANNOT_PARSE_BOOL',
  'CANNOT_PARSE_DATE',
  'CANNOT_PARSE_DATETIME',
  'CANNOT_PARSE_ESCAPE_SEQUENCE',
  'CANNOT_PARSE_INPUT_ASSERTION_FAILED',
  'CANNOT_PARSE_NUMBER',
  'CANNOT_PARSE_QUOTED_STRING',
  'CANNOT_PARSE_TEXT',
  'CANNOT_PARSE_UUID',
  'CANNOT_READ_ALL_DATA',
  'CANNOT_READ_ARRAY_FROM_TEXT',
  'CANNOT_READ_MAP_FROM_TEXT',
  'DECIMAL_OVERFLOW',
  'INCORRECT_DATA',
  'TYPE_MISMATCH',
  'VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE',
]);

/** Whether a complaint of this type is about what the lines hold. */
export function isRefusal(type: string | undefined): boolean {
  return REFUSALS.has(type);
}
