import Type, { type TString, type TStringOptions } from 'typebox';

/** A visitor's id: the value of the cookie `service_visitor_id`, or another system's id. */
export const VISITOR_ID_PATTERN = '^[A-Za-z0-9._:-]{1,128}$';

/** Names of goals and their properties. */
export const NAME_PATTERN = '^[a-z0-9_-]{1,64}$';

/** A UUID of any version. */
export const UUID_PATTERN = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';

/** A UUID that carries its creation time (RFC 9562, version 7). */
export const UUID_V7_PATTERN =
  '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-7[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$';

/** An identifier of another system: any text without control characters. */
export const FOREIGN_ID_PATTERN = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** The rough form of an e-mail address. */
export const EMAIL_PATTERN = '^[^@\\s]+@[^@\\s]+$';

/** The error message of each pattern. */
export const PATTERN_RULES: ReadonlyMap<string, string> = new Map([
  [VISITOR_ID_PATTERN, 'must be 1 to 128 characters of A-Z, a-z, 0-9, ".", "_", ":" and "-"'],
  [NAME_PATTERN, 'must be 1 to 64 characters of a-z, 0-9, "_" and "-"'],
  [UUID_PATTERN, 'must be a UUID'],
  [UUID_V7_PATTERN, 'must be a UUID version 7'],
  [EMAIL_PATTERN, 'must be an e-mail address'],
  [FOREIGN_ID_PATTERN, 'must not contain control characters'],
]);

/**
 * A string that every store returns unchanged: no NUL, no lone surrogate.
 *
 * - Units: lengths are Unicode code points.
 */
export function Text(options: TStringOptions & { maxLength: number }): TString {
  return Type.Refine(Type.String(options), isPlainText, () => PLAIN_TEXT_RULE);
}

const PLAIN_TEXT_RULE = 'must not contain NUL or a lone surrogate';

function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The visitor id in the examples of the API description. */
export const VISITOR_ID_EXAMPLE = '0193a1b2-6c1d-4f7a-9e55-2f1f6b0c7d10';

/** The transaction id in the examples of the API description. */
export const TRANSACTION_ID_EXAMPLE = 'order-1001';

/** The schema of a visitor's id. */
export function VisitorId(): TString {
  return Type.String({
    pattern: VISITOR_ID_PATTERN,
    description: "The visitor's id: the value of the cookie `service_visitor_id`.",
    examples: [VISITOR_ID_EXAMPLE],
  });
}

/** Maximum length of a value in a goal's metadata. */
export const PROPERTY_VALUE_LENGTH_MAX = 255;
/** Maximum number of properties in a goal's metadata. */
export const PROPERTIES_MAX = 10;

/** Custom parameters: strings by name. */
export function Properties(description: string) {
  const value = Text({ maxLength: PROPERTY_VALUE_LENGTH_MAX });
  return Type.Record(Type.String(), value, {
    propertyNames: { pattern: NAME_PATTERN },
    maxProperties: PROPERTIES_MAX,
    description,
    examples: [{ plan: 'pro' }],
  });
}
