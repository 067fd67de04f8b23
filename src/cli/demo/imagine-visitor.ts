import type { EventRequest } from '#contract/event.ts';
import type { PaymentRequest } from '#contract/payments/payment.ts';
import { DEMO_DOMAIN } from '#domain/site/demo.ts';
import { DAY_MS, HOUR_MS } from '#domain/time/durations.ts';
import { type Chance, createChance } from './chance.ts';
import { imagineGoods, imagineMembership } from './imagine-payments.ts';
import type { DemoPeriod } from './period.ts';
import * as shop from './tea-shop.ts';
import { DEVICES, HOMES, ROBOTS } from './visitors.ts';

/** Everything one visitor did, as requests that a backend sends. */
export type Story = {
  readonly isRobot: boolean;
  readonly events: readonly EventRequest[];
  readonly payments: readonly PaymentRequest[];
};

/**
 * Made-up probabilities. `BUYS` applies to a first visit from an average origin; a visitor who
 * returns from another origin is twice as likely to buy.
 */
const BUYS = 0.025;
const JOINS_CLUB = 0.18;
const LEAVES_CART = 0.06;
const SIGNS_UP = 0.05;
const RETURNS = 0.38;
const DAYS_BETWEEN_VISITS = 6;
const VISIT_APART_MS = HOUR_MS;
const IS_ROBOT = 0.012;
/** Visitors who block the script on the day they pay, so that the payment names no visitor. */
const PAYS_UNSEEN = 0.02;

const FORMS = [
  [3, 'footer'],
  [1, 'checkout'],
] as const;

/** Makes up the story of one visitor. The same seed, number and period give the same story. */
export function imagineVisitor(seed: number, number: number, period: DemoPeriod): Story {
  const chance = createChance(seed, number);
  const visitor = createVisitor(chance);
  const { events, isRobot } = visitor;
  const payments: PaymentRequest[] = [];
  let at = period.pickInstant(chance);
  const isLate = () => at >= period.lastWeekAt;
  const firstOrigin = chance.pick(isLate() ? shop.LAST_WEEK.origins : shop.ORIGINS);
  let origin = firstOrigin;
  do {
    visitor.beginVisit(origin, at);
    if (isRobot) break;
    const isReadier = payments.length === 0 && origin !== firstOrigin;
    const readiness = origin.readiness * (isReadier ? 2 : 1);
    const isLost =
      isLate() && shop.LAST_WEEK.isLeft(origin) && chance.isTrue(shop.LAST_WEEK.leaves);
    if (!isLost) payments.push(...imagineVisit(chance, visitor, readiness, period));
    at = visitor.now() + VISIT_APART_MS + DAY_MS * chance.wait(DAYS_BETWEEN_VISITS);
    const next = chance.pick(shop.RETURNS);
    origin = next === 'as-before' ? firstOrigin : next;
  } while (chance.isTrue(RETURNS) && at < period.endsAt);
  return { isRobot, events, payments };
}

/** Continues a visit after its first page. Returns its payments and refunds. */
function imagineVisit(
  chance: Chance,
  visitor: Visitor,
  readiness: number,
  period: DemoPeriod,
): readonly PaymentRequest[] {
  const pages = chance.whole(0, 1) + Math.floor(chance.wait(2));
  for (let shown = 0; shown < pages; shown++) visitor.showPage(chance.pick(shop.PAGES));
  if (chance.isTrue(SIGNS_UP)) visitor.reachGoal('sign_up', { form: chance.pick(FORMS) });
  if (chance.isTrue(BUYS * readiness)) return buy(chance, visitor, period);
  if (chance.isTrue(LEAVES_CART)) putIntoCart(visitor, chance.pick(shop.PRODUCTS));
  return [];
}

function buy(chance: Chance, visitor: Visitor, period: DemoPeriod): readonly PaymentRequest[] {
  const joins = chance.isTrue(JOINS_CLUB);
  const product = joins ? shop.CLUB : chance.pick(shop.PRODUCTS);
  putIntoCart(visitor, product);
  for (const path of ['/cart', '/checkout', '/thanks']) visitor.showPage(path);
  const visitorId = chance.isTrue(PAYS_UNSEEN) ? undefined : visitor.id;
  const purchase = { at: visitor.now(), visitorId };
  if (!joins) return imagineGoods(chance, purchase, product, period);
  visitor.reachGoal('club_joined', { plan: 'monthly' });
  return imagineMembership(chance, purchase, period);
}

function putIntoCart(visitor: Visitor, product: shop.Product): void {
  visitor.showPage(product.path);
  visitor.reachGoal('add_to_cart', { product: product.name });
}

type Visitor = ReturnType<typeof createVisitor>;

/** Records a visitor's actions and advances the visitor's clock. */
function createVisitor(chance: Chance) {
  const id = chance.uuid(4);
  const isRobot = chance.isTrue(IS_ROBOT);
  const { userAgent: user_agent, screenWidth: screen_width } = chance.pick(
    isRobot ? ROBOTS : DEVICES,
  );
  const always = {
    ...{ site: DEMO_DOMAIN, service_visitor_id: id, user_agent, screen_width },
    ...chance.pick(HOMES),
  };
  const events: EventRequest[] = [];
  let at = 0;
  let visitId = '';
  let url = '';

  function add(event: Pick<EventRequest, 'type'> & Partial<EventRequest>): void {
    const ids = { visit_id: visitId, event_id: chance.uuid(7, at) };
    events.push({ ...always, ...ids, occurred_at: at, url, ...event });
  }
  function showPage(path: string, tags = '', referrer = url): void {
    at += url === '' ? 0 : chance.whole(4_000, 20_000) + Math.floor(chance.wait(40_000));
    url = `https://${DEMO_DOMAIN}${path}${tags && `?${tags}`}`;
    add({ type: 'pageview', referrer, title: toTitle(path) });
  }
  function beginVisit({ entry, tags, referrer }: shop.Origin, startsAt: number): void {
    at = Math.floor(startsAt);
    visitId = chance.uuid(7, at);
    url = '';
    showPage(entry, tags, referrer);
  }
  function reachGoal(name: string, metadata: Record<string, string>): void {
    at += chance.whole(1_000, 15_000);
    add({ type: 'goal', name, metadata });
  }
  return { id, isRobot, events, now: () => at, beginVisit, showPage, reachGoal };
}

function toTitle(path: string): string {
  const words = path.split('/').at(-1)?.replaceAll('-', ' ') || 'welcome';
  return `${words[0]?.toUpperCase()}${words.slice(1)} · Leaf & Kettle`;
}
