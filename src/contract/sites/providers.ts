import Type, { type Static } from 'typebox';
import { Nullable, Strict } from '../query-fields.ts';
import { SitePath } from './site.ts';

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });

const CONNECTION = {
  id: Text,
  site: Type.String({ description: 'The id of the site.' }),
  provider: Text,
  name: Text,
  webhook_url: Type.String({ description: 'Where the provider sends its events.' }),
  missing: Type.Array(Text, { description: 'Fields that it needs and does not have.' }),
  settings: Type.Record(Text, Text),
  created_at: Nullable(Text),
  last_event_at: Nullable(Text),
  last_error: Nullable(Text),
  last_error_at: Nullable(Text),
};

/** A connection to a payment provider, as the API and the commands show it. Secrets are never shown. */
export const ProviderConnection = Type.Object(CONNECTION);
export type ProviderConnection = Static<typeof ProviderConnection>;

/** A walk through a provider's lists. */
const Walk = Type.Object({
  state: Type.String({
    description: '`running`, `waiting` (continues by itself), `done` or `failed`.',
  }),
  since: Nullable(Text, 'null for all of it.'),
  pages: Count,
  list: Nullable(Text, 'The list that is read.'),
  reached: Nullable(Text, 'When its last entry was made.'),
  error: Nullable(Text, 'What cannot be read, and what to do.'),
  ended_at: Nullable(Text),
  next_at: Nullable(Text),
});
export type ProviderWalk = Static<typeof Walk>;

/** A connection with what came of its events. */
export const ProviderConnectionDetails = Type.Object(
  {
    ...CONNECTION,
    events: Type.Array(
      Type.Object({
        type: Type.String({ description: 'The provider’s own name of the event.' }),
        state: Type.String({
          description: '`new`, `done`, `ignored`, `unknown`, `failed`, `test` or `erased`.',
        }),
        count: Count,
      }),
    ),
    failed: Type.Array(
      Type.Object({ id: Text, type: Text, received_at: Nullable(Text), why: Text }),
      { description: 'The latest events that failed, and why.' },
    ),
    payments: Type.Object(
      {
        ...{ all: Count, by_event: Count, by_subscription: Count, by_order: Count },
        ...{ by_customer: Count, without_visitor: Count },
      },
      { description: 'Payments by where their visitor was found.' },
    ),
    history: Nullable(Walk, 'How far its history has been read; null without an API key.'),
    poll: Nullable(Walk, 'The hourly poll of the last days, for what no webhook reported.'),
    missed: Nullable(Text, 'Payments of the last seven days that only the poll reported, and why.'),
    overlap: Nullable(
      Text,
      'Payments that may count twice, because a gateway of the shop reports them too.',
    ),
  },
  { title: 'ProviderConnection', description: 'The connection.' },
);
export type ProviderConnectionDetails = Static<typeof ProviderConnectionDetails>;

/** A provider that can be connected, and what people do and give for it. */
const KnownProvider = Type.Object({
  name: Text,
  title: Text,
  fields: Type.Array(
    Type.Object({
      ...{ name: Text, label: Text, hint: Text, example: Nullable(Text) },
      ...{ is_secret: Type.Boolean(), is_required: Type.Boolean() },
      pattern: Nullable(Text, 'A regular expression.'),
    }),
  ),
  steps: Type.Array(
    Type.Object({
      ...{ title: Text, text: Text },
      way: Type.Array(Text, { description: 'What to click at the provider, in order.' }),
      form: Type.Record(Text, Text, {
        description: 'What belongs where at its end; `{address}` is the address of the webhook.',
      }),
    }),
  ),
  event_types: Type.Array(Text, { description: 'Empty where nothing can be chosen.' }),
  visitor_line: Text,
  has_token: Type.Boolean({
    description:
      'Signs nothing: the token in its address is the proof, and `new_token` replaces it.',
  }),
});

/** The connections of a site, and the providers that it can connect. */
export const ProvidersAnswer = Type.Object(
  { connections: Type.Array(ProviderConnectionDetails), providers: Type.Array(KnownProvider) },
  { description: 'The connections of the site, oldest first, and what can be connected.' },
);
export type ProvidersAnswer = Static<typeof ProvidersAnswer>;

/** The path parameters of a connection. */
export const ConnectionPath = Type.Object({ ...SitePath.properties, connection: Type.String() });

const Fields = Type.Record(Text, Type.String({ maxLength: 4_096 }), {
  description: 'The fields of the provider by their names, such as `signing_secret`.',
});
const Name = Type.Optional(Type.String({ maxLength: 100 }));

/** The request to connect a provider. */
export const NewConnectionRequest = Strict({
  provider: Type.String({ maxLength: 50 }),
  name: Name,
  fields: Type.Optional(Fields),
});
export type NewConnectionRequest = Static<typeof NewConnectionRequest>;

/** The request to change a connection. The signing secret before is accepted for 24 more hours. */
export const ConnectionChange = Strict({
  name: Name,
  fields: Type.Optional(Fields),
  new_token: Type.Optional(
    Type.Boolean({ description: 'Makes another token for the address, where there is one.' }),
  ),
});
export type ConnectionChange = Static<typeof ConnectionChange>;

/** The request to read the history of a connection. */
export const HistoryRequest = Strict({
  since: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'Since when. Without it, reading continues where it failed, or starts over.',
    }),
  ),
});

/** The request to read events again. */
export const ReplayRequest = Strict({
  failed: Type.Optional(
    Type.Boolean({ description: 'Only events that failed or whose type was unknown.' }),
  ),
  since: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only events received from this instant on.' }),
  ),
});
export type ReplayRequest = Static<typeof ReplayRequest>;

/** How many events are read again. */
export const ReplayAnswer = Type.Object(
  { events: Count },
  { description: 'The number of events that are read again.' },
);
export type ReplayAnswer = Static<typeof ReplayAnswer>;

/** The steps of a connection's test. */
export const ConnectionTest = Type.Object(
  { steps: Type.Array(Type.Object({ step: Text, ok: Type.Boolean(), found: Text })) },
  { description: 'What each step of the test found.' },
);
export type ConnectionTest = Static<typeof ConnectionTest>;

/** The request to see what would become of the last event, with other settings. */
export const PreviewRequest = Strict({ fields: Fields });

/** What would become of the last event. */
export const PreviewAnswer = Type.Object(
  {
    received_at: Nullable(Text),
    body: Nullable(Text, 'The last body that arrived; null if none did.'),
    state: Nullable(Text, '`done`, `ignored`, `unknown` or `failed`.'),
    why: Nullable(Text),
    becomes: Type.Array(Type.Object({ name: Text, value: Text }), {
      description: 'What the event states, by name.',
    }),
  },
  { description: 'What would become of the last event.' },
);
export type PreviewAnswer = Static<typeof PreviewAnswer>;
