/**
 * A permanent error: the warehouse can never read these lines.
 *
 * Why a separate type: such lines are eventually set aside, while a transient error (a full disk, no memory, a limit)
 * must never cost a batch.
 */
export class RefusedLinesError extends Error {
  constructor(cause: Error) {
    super(cause.message.split('\n')[0] ?? '', { cause });
    this.name = 'RefusedLinesError';
  }
}

/** ClickHouse's error names for values that it cannot parse or store. */
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

/** Whether an error of this type is about the content of the lines. */
export function isRefusal(type: string | undefined): boolean {
  return REFUSALS.has(type);
}
