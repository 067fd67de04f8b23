import Type, { type Static } from 'typebox';
import { NAME_PATTERN } from './patterns.ts';
import { Properties, VisitorId } from './text.ts';

/** A goal that a backend reports to `POST /api/v1/goals`. */
export const GoalRequest = Type.Object(
  {
    service_visitor_id: VisitorId(),
    name: Type.String({
      pattern: NAME_PATTERN,
      description: 'Name of the goal: lowercase letters, digits, underscores and hyphens only.',
      examples: ['newsletter_signup'],
    }),
    metadata: Type.Optional(
      Properties('Custom parameters. HTML and script content is removed from values.'),
    ),
  },
  { description: 'Unknown fields are ignored.' },
);
export type GoalRequest = Static<typeof GoalRequest>;

/** The answer to an accepted event of a backend. */
export const ReportedAnswer = (description: string) =>
  Type.Object(
    {
      status: Type.Literal('success'),
      data: Type.Array(
        Type.Object({
          message: Type.String(),
          eventId: Type.String({ format: 'uuid', description: 'A UUID version 7.' }),
        }),
      ),
    },
    { description },
  );

/** The answer to an accepted goal. */
export const GoalAnswer = ReportedAnswer('The goal is recorded.');
export type GoalAnswer = Static<typeof GoalAnswer>;

/** The response body for an accepted goal. */
export function toGoalAnswer(eventId: string): string {
  return toReportedAnswer('Custom event created successfully', eventId);
}

/** The response body of a {@link ReportedAnswer}. */
export function toReportedAnswer(message: string, eventId: string): string {
  return `{"status":"success","data":[{"message":"${message}","eventId":"${eventId}"}]}`;
}
