import Type, { type Static } from 'typebox';
import { ReportedAnswer, toReportedAnswer } from './goal.ts';
import { EMAIL_PATTERN, FOREIGN_ID_PATTERN } from './patterns.ts';
import { Properties, Text, VisitorId } from './text.ts';

/** A visitor's identity that a backend reports to `POST /api/v1/identify`. */
export const IdentifyRequest = Type.Object(
  {
    service_visitor_id: VisitorId(),
    user_id: Text({
      minLength: 1,
      maxLength: 255,
      pattern: FOREIGN_ID_PATTERN,
      description:
        'Your own identifier of the logged-in user. Visitors with the same `user_id` are one person.',
      examples: ['42'],
    }),
    email: Type.Optional(
      Text({
        minLength: 3,
        maxLength: 254,
        pattern: EMAIL_PATTERN,
        description:
          "The user's e-mail address. Compared in lower case, also with the e-mail addresses of payments.",
      }),
    ),
    traits: Type.Optional(Properties('Other traits. An `email` counts as the field `email`.')),
  },
  { description: 'Unknown fields are ignored.' },
);
export type IdentifyRequest = Static<typeof IdentifyRequest>;

/** The answer to an accepted identify. */
export const IdentifyAnswer = ReportedAnswer('The identity is recorded.');

/** The response body for an accepted identify. */
export function toIdentifyAnswer(eventId: string, isBot: boolean): string {
  return toReportedAnswer(isBot ? 'Visitor is a bot: not joined' : 'Visitor identified', eventId);
}
