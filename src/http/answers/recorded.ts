import Type from 'typebox';

/** The type of every JSON answer. */
export const JSON_CONTENT_TYPE = 'application/json; charset=utf-8';

/** What an idempotent endpoint reads of the header, as OpenAPI shows it. */
export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Repeating a request with the same key and body gives the first answer again, with `Idempotent-Replayed: true`, and records nothing new, for at least 24 hours.',
    }),
  ),
});

/** What answers a write that is recorded: JSON, and the headers of this answer alone. */
export type WriteAnswer = {
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Answers what was recorded, and says so when the answer is an earlier one. */
export function toRecordedAnswer(recorded: {
  readonly answer: string;
  readonly replayed: boolean;
}): WriteAnswer {
  const { answer: text, replayed } = recorded;
  return replayed ? { text, headers: { 'idempotent-replayed': 'true' } } : { text };
}
