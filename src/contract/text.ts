import Type, { type TString, type TStringOptions } from 'typebox';
import { NAME_PATTERN, VISITOR_ID_PATTERN } from './patterns.ts';

/**
 * A string that every store returns unchanged: no NUL, no lone surrogate.
 *
 * - Units: lengths are Unicode code points.
 */
export function Text(options: TStringOptions & { maxLength: number }): TString {
  const isPlain = (text: string) => text.isWellFormed() && !text.includes('\0');
  return Type.Refine(Type.String(options), isPlain, () => PLAIN_TEXT_RULE);
}

const PLAIN_TEXT_RULE = 'must not contain NUL or a lone surrogate';

/** Text that may be left out. */
export const OptionalText = (description: string) => Type.Optional(Type.String({ description }));

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
const PROPERTY_VALUE_LENGTH_MAX = 255;
/** Maximum number of properties in a goal's metadata. */
const PROPERTIES_MAX = 10;

/** Custom parameters: strings by name. */
export function Properties(description: string) {
  const value = Text({ maxLength: PROPERTY_VALUE_LENGTH_MAX });
  return Type.Record(Type.String(), value, {
    propertyNames: { pattern: NAME_PATTERN },
    maxProperties: PROPERTIES_MAX,
    title: 'Properties',
    description,
    examples: [{ plan: 'pro' }],
  });
}
