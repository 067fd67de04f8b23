import Type, { type Static } from 'typebox';
import { DROP_REASONS } from '#domain/visit/dropped-events.ts';
import { Nullable } from '../query-fields.ts';
import { OptionalText } from '../text.ts';

const Instant = Nullable(Type.String(), 'null if there was none in the last 30 days.');
const Check = Type.Object({
  name: Type.Enum([
    'ready',
    'script',
    'hosts',
    'behind',
    'persons',
    'proxy',
    'payments',
    'conversion',
  ]),
  ok: Type.Boolean(),
  message: Type.String({ description: 'The finding; if the check failed, also how to fix it.' }),
});

/** Whether a site's events arrive. */
export const HealthAnswer = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether the databases respond and accept writes.' }),
    behind_seconds: Type.Number({ description: 'How long the oldest event has been waiting.' }),
    pageview_at: Instant,
    event_at: Instant,
    dropped: Type.Array(
      Type.Object({ reason: Type.Enum(DROP_REASONS), count: Type.Integer() }, {}),
      {
        description: 'Events dropped in the last 24 hours, by reason, most frequent first.',
      },
    ),
    refused_hosts: Type.Array(Type.String(), {
      description: 'Hosts whose events were refused in the last 24 hours, as in `/api/v1/drops`.',
    }),
    checks: Type.Array(Check),
  },
  { description: 'The health of the site’s tracking.' },
);
export type HealthAnswer = Static<typeof HealthAnswer>;

/** The findings of `tributary doctor`. */
export const ExaminationAnswer = Type.Object(
  {
    healthy: Type.Boolean(),
    findings: Type.Array(
      Type.Object({
        check: Type.String(),
        ok: Type.Boolean(),
        found: Type.String(),
        advice: OptionalText('How to fix it, if the check failed.'),
      }),
    ),
  },
  { description: 'The checks and their findings.' },
);
export type ExaminationAnswer = Static<typeof ExaminationAnswer>;
