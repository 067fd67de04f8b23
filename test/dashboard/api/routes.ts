import type { Static, TSchema } from 'typebox';
import Type from 'typebox';
import { Done, Removed } from '#contract/done.ts';
import { LiveAnswer } from '#contract/live.ts';
import {
  AcceptInvitationRequest,
  FindInvitationRequest,
  InvitationAnswer,
  JoinedAnswer,
} from '#contract/logins/invitations.ts';
import { ChangedMeAnswer, ConfirmEmailRequest, MeAnswer, MeChange } from '#contract/logins/me.ts';
import {
  LinkAnswer,
  LinkQuestion,
  ResetLinkRequest,
  ResetRequest,
  SignInOptionsAnswer,
  StartRequest,
} from '#contract/logins/sign-in.ts';
import {
  ListedPayment,
  PaymentCorrection,
  PaymentsAnswer,
} from '#contract/payments/payment-list.ts';
import { PeopleQuery, PersonsAnswer } from '#contract/people.ts';
import { QueryAnswer, SentQuery } from '#contract/query.ts';
import { CombinedQuery } from '#contract/reports/combined.ts';
import { DropsAnswer } from '#contract/reports/drops.ts';
import { Funnel, FunnelAnswer } from '#contract/reports/funnel.ts';
import { InsightsAnswer } from '#contract/reports/insights.ts';
import { Journeys, JourneysAnswer } from '#contract/reports/journeys.ts';
import { Ltv, LtvAnswer } from '#contract/reports/ltv.ts';
import { Mrr, MrrAnswer } from '#contract/reports/mrr.ts';
import { PurchasePaths, PurchasePathsAnswer } from '#contract/reports/purchase-paths.ts';
import { Retention, RetentionAnswer } from '#contract/reports/retention.ts';
import { AuditAnswer } from '#contract/sites/audit.ts';
import { CostFileAnswer, CostFileRequest, CostImportsAnswer } from '#contract/sites/costs.ts';
import { DemoAnswer } from '#contract/sites/demo.ts';
import { ExaminationAnswer, HealthAnswer } from '#contract/sites/health.ts';
import {
  KeyAnswer,
  KeyRotation,
  KeysAnswer,
  MadeKeyAnswer,
  NewKeyRequest,
} from '#contract/sites/keys.ts';
import {
  InvitedAnswer,
  InviteRequest,
  MemberAnswer,
  MembersAnswer,
  RoleChange,
} from '#contract/sites/members.ts';
import { AlertFields, Notices, SubscriptionFields } from '#contract/sites/notices.ts';
import { OwnVisitsAnswer, OwnVisitsRequest } from '#contract/sites/own-visits.ts';
import { ProvidersAnswer } from '#contract/sites/providers.ts';
import {
  Annotation,
  AnnotationChange,
  AnnotationsAnswer,
  FunnelChange,
  NewAnnotation,
  NewFunnel,
  NewSegment,
  SavedFunnel,
  SavedFunnelsAnswer,
  Segment,
  SegmentChange,
  SegmentsAnswer,
} from '#contract/sites/saved.ts';
import {
  NewShareRequest,
  OpenedShareAnswer,
  OpenShareRequest,
  ShareAnswer,
  SharedAnswer,
  SharesAnswer,
} from '#contract/sites/shares.ts';
import {
  IdentitySecretAnswer,
  NewSiteRequest,
  RemovedSiteAnswer,
  ScriptAnswer,
  SiteAnswer,
  SiteChange,
} from '#contract/sites/site.ts';
import { StoryAnswer } from '#contract/story.ts';
import { ErasureReceipt, SeparatedAnswer, VisitorAnswer } from '#contract/visitor.ts';

/** What a route takes, if it has a body, and what it answers. */
type Route = { readonly takes?: TSchema; readonly answers: TSchema };

/** Of sessions, which the library of logins answers in its own forms. */
const Any = Type.Union([Type.Object({}), Type.Array(Type.Object({}))]);

/** The routes that the dashboard asks, with their schemas. */
export const ROUTES = {
  'GET /api/v1/me': { answers: MeAnswer },
  'PATCH /api/v1/me': { takes: MeChange, answers: ChangedMeAnswer },
  'POST /api/v1/me/email': { takes: ConfirmEmailRequest, answers: Done },
  'GET /api/sign-in-options': { answers: SignInOptionsAnswer },
  'POST /api/links': { takes: LinkQuestion, answers: LinkAnswer },
  'POST /api/start': { takes: StartRequest, answers: Done },
  'POST /api/reset': { takes: ResetRequest, answers: Done },
  'POST /api/reset/request': { takes: ResetLinkRequest, answers: Done },
  'POST /api/invitations/find': { takes: FindInvitationRequest, answers: InvitationAnswer },
  'POST /api/invitations/accept': { takes: AcceptInvitationRequest, answers: JoinedAnswer },
  'POST /api/auth/:what': { answers: Any },
  'POST /api/auth/:what/:how': { answers: Any },
  'GET /api/auth/:what': { answers: Any },
  'POST /unsubscribe/:token': { answers: Done },
  'GET /api/v1/share': { answers: SharedAnswer },
  'POST /api/v1/share/open': { takes: OpenShareRequest, answers: OpenedShareAnswer },
  'POST /api/v1/query': { takes: SentQuery, answers: QueryAnswer },
  'POST /api/v1/query/sites': { takes: CombinedQuery, answers: QueryAnswer },
  'POST /api/v1/query/persons': { takes: PeopleQuery, answers: PersonsAnswer },
  'POST /api/v1/query/funnel': { takes: Funnel, answers: FunnelAnswer },
  'POST /api/v1/query/journeys': { takes: Journeys, answers: JourneysAnswer },
  'POST /api/v1/query/retention': { takes: Retention, answers: RetentionAnswer },
  'POST /api/v1/query/ltv': { takes: Ltv, answers: LtvAnswer },
  'POST /api/v1/query/mrr': { takes: Mrr, answers: MrrAnswer },
  'POST /api/v1/query/purchase-paths': { takes: PurchasePaths, answers: PurchasePathsAnswer },
  'GET /api/v1/live': { answers: LiveAnswer },
  'GET /api/v1/insights': { answers: InsightsAnswer },
  'GET /api/v1/live/stream': { answers: Any },
  'GET /api/v1/drops': { answers: DropsAnswer },
  'GET /api/v1/demo': { answers: DemoAnswer },
  'GET /api/v1/doctor': { answers: ExaminationAnswer },
  'GET /api/v1/audit': { answers: AuditAnswer },
  'GET /api/v1/payments': { answers: PaymentsAnswer },
  'GET /api/v1/payments/:id': { answers: ListedPayment },
  'PATCH /api/v1/payments/:id': { takes: PaymentCorrection, answers: ListedPayment },
  'GET /api/v1/persons/:id': { answers: StoryAnswer },
  'GET /api/v1/visitors/:id/story': { answers: StoryAnswer },
  'GET /api/v1/visitors/:id': { answers: VisitorAnswer },
  'DELETE /api/v1/visitors/:id': { answers: ErasureReceipt },
  'DELETE /api/v1/visitors/:id/joins': { answers: SeparatedAnswer },
  'POST /api/v1/sites': { takes: NewSiteRequest, answers: SiteAnswer },
  'GET /api/v1/sites/:id': { answers: SiteAnswer },
  'PATCH /api/v1/sites/:id': { takes: SiteChange, answers: SiteAnswer },
  'DELETE /api/v1/sites/:id': { answers: RemovedSiteAnswer },
  'GET /api/v1/sites/:id/script': { answers: ScriptAnswer },
  'POST /api/v1/sites/:id/identity-secret': { answers: IdentitySecretAnswer },
  'GET /api/v1/sites/:id/health': { answers: HealthAnswer },
  'GET /api/v1/sites/:id/audit': { answers: AuditAnswer },
  'GET /api/v1/sites/:id/members': { answers: MembersAnswer },
  'POST /api/v1/sites/:id/members': { takes: InviteRequest, answers: InvitedAnswer },
  'PATCH /api/v1/sites/:id/members/:user': { takes: RoleChange, answers: MemberAnswer },
  'DELETE /api/v1/sites/:id/members/:user': { answers: Removed },
  'GET /api/v1/sites/:id/keys': { answers: KeysAnswer },
  'POST /api/v1/sites/:id/keys': { takes: NewKeyRequest, answers: MadeKeyAnswer },
  'POST /api/v1/sites/:id/keys/:key/rotate': { takes: KeyRotation, answers: MadeKeyAnswer },
  'DELETE /api/v1/sites/:id/keys/:key': { answers: KeyAnswer },
  'POST /api/v1/sites/:id/own-visits': { takes: OwnVisitsRequest, answers: OwnVisitsAnswer },
  'GET /api/v1/sites/:id/own-visits/:link': { answers: OwnVisitsAnswer },
  'GET /api/v1/sites/:id/notices': { answers: Notices },
  'PUT /api/v1/sites/:id/notices': { takes: SubscriptionFields, answers: Notices },
  'PUT /api/v1/sites/:id/alerts': { takes: AlertFields, answers: Notices },
  'GET /api/v1/sites/:id/shares': { answers: SharesAnswer },
  'POST /api/v1/sites/:id/shares': { takes: NewShareRequest, answers: ShareAnswer },
  'DELETE /api/v1/sites/:id/shares/:share': { answers: Removed },
  'GET /api/v1/sites/:id/providers': { answers: ProvidersAnswer },
  'GET /api/v1/sites/:id/costs': { answers: CostImportsAnswer },
  'POST /api/v1/sites/:id/costs': { takes: CostFileRequest, answers: CostFileAnswer },
  'GET /api/v1/sites/:id/segments': { answers: SegmentsAnswer },
  'POST /api/v1/sites/:id/segments': { takes: NewSegment, answers: Segment },
  'PATCH /api/v1/sites/:id/segments/:saved': { takes: SegmentChange, answers: Segment },
  'DELETE /api/v1/sites/:id/segments/:saved': { answers: Removed },
  'GET /api/v1/sites/:id/funnels': { answers: SavedFunnelsAnswer },
  'POST /api/v1/sites/:id/funnels': { takes: NewFunnel, answers: SavedFunnel },
  'PATCH /api/v1/sites/:id/funnels/:saved': { takes: FunnelChange, answers: SavedFunnel },
  'DELETE /api/v1/sites/:id/funnels/:saved': { answers: Removed },
  'GET /api/v1/sites/:id/annotations': { answers: AnnotationsAnswer },
  'POST /api/v1/sites/:id/annotations': { takes: NewAnnotation, answers: Annotation },
  'PATCH /api/v1/sites/:id/annotations/:saved': { takes: AnnotationChange, answers: Annotation },
  'DELETE /api/v1/sites/:id/annotations/:saved': { answers: Removed },
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
