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

/** What is wrong with a visitor's id; `undefined` if nothing is. */
export function findVisitorIdFault(id: string): string | undefined {
  return VISITOR_ID.test(id) ? undefined : PATTERN_RULES.get(VISITOR_ID_PATTERN);
}

const VISITOR_ID = new RegExp(VISITOR_ID_PATTERN);
