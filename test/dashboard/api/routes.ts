import type { Static, TSchema } from 'typebox';
import { Done } from '#contract/done.ts';
import { LiveAnswer } from '#contract/live.ts';
import { FindInvitationRequest, InvitationAnswer } from '#contract/logins/invitations.ts';
import { MeAnswer } from '#contract/logins/me.ts';
import { SignInOptionsAnswer } from '#contract/logins/sign-in.ts';
import { QueryAnswer, SentQuery } from '#contract/query.ts';
import { DropsAnswer } from '#contract/reports/drops.ts';
import { InsightsAnswer } from '#contract/reports/insights.ts';
import { DemoAnswer } from '#contract/sites/demo.ts';
import { HealthAnswer } from '#contract/sites/health.ts';
import { AnnotationsAnswer, SavedFunnelsAnswer, SegmentsAnswer } from '#contract/sites/saved.ts';

import { ScriptAnswer } from '#contract/sites/site.ts';

/** What a route takes, if it has a body, and what it answers. */
type Route = { readonly takes?: TSchema; readonly answers: TSchema };

/** The routes that the dashboard asks, with their schemas. */
export const ROUTES = {
  'GET /api/v1/me': { answers: MeAnswer },
  'GET /api/sign-in-options': { answers: SignInOptionsAnswer },
  'POST /api/invitations/find': { takes: FindInvitationRequest, answers: InvitationAnswer },
  'POST /api/v1/query': { takes: SentQuery, answers: QueryAnswer },
  'GET /api/v1/live': { answers: LiveAnswer },
  'GET /api/v1/insights': { answers: InsightsAnswer },
  'GET /api/v1/drops': { answers: DropsAnswer },
  'GET /api/v1/demo': { answers: DemoAnswer },
  'GET /api/v1/sites/:id/script': { answers: ScriptAnswer },
  'GET /api/v1/sites/:id/health': { answers: HealthAnswer },
  'GET /api/v1/sites/:id/segments': { answers: SegmentsAnswer },
  'GET /api/v1/sites/:id/funnels': { answers: SavedFunnelsAnswer },
  'GET /api/v1/sites/:id/annotations': { answers: AnnotationsAnswer },
  'POST /api/auth/sign-out': { answers: Done },
} as const satisfies Record<string, Route>;

/** A route, such as `GET /api/v1/me`. */
export type RouteName = keyof typeof ROUTES;

/** What a route answers. */
export type AnswerOf<Name extends RouteName> = Static<(typeof ROUTES)[Name]['answers']>;

/** The body that a route takes. */
export type BodyOf<Name extends RouteName> = (typeof ROUTES)[Name] extends {
  readonly takes: infer Schema extends TSchema;
}
  ? Static<Schema>
  : undefined;
