import Type, { type Static } from 'typebox';

const Instant = Type.Union([Type.String({ format: 'date-time' }), Type.Null()]);

/** A connection to a payment provider, as the API and the commands show it. Secrets are never shown. */
export const ProviderConnection = Type.Object({
  id: Type.String(),
  site: Type.String({ description: 'The id of the site.' }),
  provider: Type.String(),
  name: Type.String(),
  webhook_url: Type.String({ description: 'Where the provider sends its events.' }),
  missing: Type.Array(Type.String(), { description: 'Fields that it needs and does not have.' }),
  settings: Type.Record(Type.String(), Type.String()),
  created_at: Instant,
  last_event_at: Instant,
  last_error: Type.Union([Type.String(), Type.Null()]),
  last_error_at: Instant,
});
export type ProviderConnection = Static<typeof ProviderConnection>;

const Count = Type.Integer({ minimum: 0 });

/** A connection with what came of its events. */
export const ProviderConnectionDetails = Type.Intersect([
  ProviderConnection,
  Type.Object({
    events: Type.Array(
      Type.Object({
        type: Type.String({ description: 'The provider’s own name of the event.' }),
        state: Type.String({ description: 'new, done, ignored, unknown, failed or test.' }),
        count: Count,
      }),
    ),
    payments: Type.Object(
      {
        all: Count,
        by_event: Count,
        by_subscription: Count,
        by_order: Count,
        by_customer: Count,
        without_visitor: Count,
      },
      { description: 'Payments by where their visitor was found.' },
    ),
  }),
]);
export type ProviderConnectionDetails = Static<typeof ProviderConnectionDetails>;
