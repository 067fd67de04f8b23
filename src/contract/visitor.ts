import Type, { type Static } from 'typebox';

const Instant = (description: string) => Type.String({ format: 'date-time', description });
const OptionalInstant = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

/** Whom a request about a visitor is about. */
export const VisitorScope = Type.Object({
  scope: Type.Optional(
    Type.Enum(['visitor', 'person'], {
      default: 'visitor',
      description: 'The visitor alone, or everybody joined with it.',
    }),
  ),
});

/** A visitor of a person. */
export const JoinedVisitor = Type.Object({
  service_visitor_id: Type.String(),
  joined_by: Type.Array(
    Type.Object({
      field: Type.Enum(['user_id', 'customer_id', 'email']),
      value: Type.String(),
      source: Type.Enum(['identify', 'payment']),
    }),
    { description: 'Why it belongs to the person: what was said of it, and by what.' },
  ),
});

export type JoinedVisitor = Static<typeof JoinedVisitor>;

/** The joins of a visitor that were undone. */
export const SeparatedAnswer = Type.Object(
  {
    status: Type.Literal('success'),
    service_visitor_id: Type.String(),
    separated_from: Type.Array(
      Type.Object({
        field: Type.Enum(['user_id', 'customer_id', 'email']),
        value: Type.String(),
      }),
      { description: 'What joins the visitor no more.' },
    ),
  },
  { description: 'The visitor is alone.' },
);
export type SeparatedAnswer = Static<typeof SeparatedAnswer>;

/** What became of the wish to be forgotten. */
export const ErasureReceipt = Type.Object(
  {
    status: Type.Literal('success'),
    erasure: Type.Object({
      id: Type.String({ description: 'Identifies this receipt.' }),
      state: Type.Enum(['running', 'done'], {
        description:
          '`done` when no file holds the person any more. Damaged bytes of the archive are counted apart.',
      }),
      requested_at: Instant('When it was requested. What was accepted until then is erased.'),
      done_at: OptionalInstant('When it was done.'),
      counts: Type.Object(
        {
          visitors: Type.Integer({
            description: 'The visitor; with `scope=person` all who were it.',
          }),
          events: Type.Integer({ description: 'Removed from the warehouse.' }),
          archived_events: Type.Integer({ description: 'Removed from the archive.' }),
          unread_archive_bytes: Type.Integer({
            description:
              'Damaged bytes of the archive that cannot be searched. They stay, and the log names their files.',
          }),
          payments: Type.Integer({ description: 'Kept without the person.' }),
          identities: Type.Integer({ description: 'Identities removed.' }),
        },
        { description: 'So far.' },
      ),
    }),
    visitors: Type.Optional(
      Type.Array(JoinedVisitor, {
        description: 'In the answer to the request, with `scope=person`: who is erased, and why.',
      }),
    ),
  },
  { description: 'The erasure is recorded and will be completed.' },
);
export type ErasureReceipt = Static<typeof ErasureReceipt>;

/** All that is known of a visitor. */
export const VisitorAnswer = Type.Object(
  {
    service_visitor_id: Type.String(),
    person: Type.Object({
      visitors: Type.Array(JoinedVisitor, {
        description: 'The visitor; with `scope=person` all visitors who are this person.',
      }),
      user_ids: Type.Array(Type.String()),
      customer_ids: Type.Array(Type.String()),
      emails: Type.Array(Type.String()),
    }),
    visits: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    events: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    events_total: Type.Integer({ description: 'All there are; the latest 10,000 are listed.' }),
    payments: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    identities: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  },
  { description: 'Everything stored about the visitor.' },
);
export type VisitorAnswer = Static<typeof VisitorAnswer>;
