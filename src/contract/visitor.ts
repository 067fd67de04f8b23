import Type, { type Static } from 'typebox';
import { VisitorId } from './text.ts';

const Instant = (description: string) => Type.String({ format: 'date-time', description });
const OptionalInstant = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

/** The path of a visitor. */
export const VisitorPath = Type.Object({ id: VisitorId() });
/** The path of an erasure. */
export const ErasurePath = Type.Object({ id: Type.String() });

/** Whether a request concerns one visitor or the whole person. */
export const VisitorScope = Type.Object({
  scope: Type.Optional(
    Type.Enum(['visitor', 'person'], {
      default: 'visitor',
      description: 'The visitor alone, or all visitors of the same person.',
    }),
  ),
});

/** A visitor of a person, with the evidence that joins it. */
export const JoinedVisitor = Type.Object({
  service_visitor_id: Type.String(),
  joined_by: Type.Array(
    Type.Object({
      field: Type.Enum(['user_id', 'customer_id', 'email']),
      value: Type.String(),
      source: Type.Enum(['identify', 'payment']),
    }),
    {
      description: 'Why the visitor belongs to the person: the identifiers, and who reported them.',
    },
  ),
});

export type JoinedVisitor = Static<typeof JoinedVisitor>;

/** The answer to undoing a visitor's joins. */
export const SeparatedAnswer = Type.Object(
  {
    status: Type.Literal('success'),
    service_visitor_id: Type.String(),
    separated_from: Type.Array(
      Type.Object({ field: Type.Enum(['user_id', 'customer_id', 'email']), value: Type.String() }),
      { description: 'Identifiers that no longer join the visitor.' },
    ),
  },
  { description: 'The visitor belongs to no other visitors any more.' },
);
export type SeparatedAnswer = Static<typeof SeparatedAnswer>;

/** The state of an erasure. */
export const ErasureReceipt = Type.Object(
  {
    status: Type.Literal('success'),
    erasure: Type.Object({
      id: Type.String({ description: 'Identifies this receipt.' }),
      state: Type.Enum(['running', 'done'], {
        description:
          '`done` when no file contains the person any more. Damaged bytes of the archive are counted separately.',
      }),
      requested_at: Instant('When it was requested. Everything accepted before is erased.'),
      done_at: OptionalInstant('When it was done.'),
      counts: Type.Object(
        {
          visitors: Type.Integer({
            description: 'Erased visitors: 1, or with `scope=person` all visitors of the person.',
          }),
          events: Type.Integer({ description: 'Removed from the warehouse.' }),
          archived_events: Type.Integer({ description: 'Removed from the archive.' }),
          unread_archive_bytes: Type.Integer({
            description:
              'Damaged bytes of the archive that cannot be searched. They stay; the log names their files.',
          }),
          payments: Type.Integer({ description: 'Kept, without any personal data.' }),
          identities: Type.Integer({ description: 'Removed identities.' }),
        },
        { description: 'Counts so far.' },
      ),
    }),
    visitors: Type.Optional(
      Type.Array(JoinedVisitor, {
        description:
          'With `scope=person`, in the answer to the request: the visitors that are erased, and why.',
      }),
    ),
  },
  { title: 'Erasure', description: 'The erasure is recorded and will be completed.' },
);
export type ErasureReceipt = Static<typeof ErasureReceipt>;

/** Everything stored about a visitor. */
export const VisitorAnswer = Type.Object(
  {
    service_visitor_id: Type.String(),
    person: Type.Object({
      visitors: Type.Array(JoinedVisitor, {
        description: 'The visitor; with `scope=person` all visitors of the person.',
      }),
      user_ids: Type.Array(Type.String()),
      customer_ids: Type.Array(Type.String()),
      emails: Type.Array(Type.String()),
    }),
    visits: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    events: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    events_total: Type.Integer({
      description: 'Number of all events. The latest 10,000 are listed.',
    }),
    payments: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    identities: Type.Array(Type.Record(Type.String(), Type.Unknown())),
  },
  { description: 'Everything stored about the visitor.' },
);
export type VisitorAnswer = Static<typeof VisitorAnswer>;
