import type { EventRequest } from '#contract/event.ts';
import { type Chance, createChance } from './chance.ts';
import { DEVICES, ROBOTS } from './devices.ts';
import { type DemoPayment, imagineGoods, imagineMembership } from './imagine-payments.ts';
import { DAY_MS, type DemoPeriod } from './period.ts';
import { HOMES } from './places.ts';
import * as shop from './tea-shop.ts';

/** All that one visitor did, in the form in which servers report it. */
export type Story = {
  readonly events: readonly EventRequest[];
  readonly payments: readonly DemoPayment[];
};

/**
 * How likely things are, all made up. `BUYS` is of a first visit from an average origin; who comes
 * back by another way is twice as ready.
 */
const BUYS = 0.025;
const JOINS_CLUB = 0.18;
const LEAVES_CART = 0.06;
const SIGNS_UP = 0.05;
const RETURNS = 0.38;
const DAYS_BETWEEN_VISITS = 6;
const VISIT_APART_MS = 60 * 60 * 1000;
const IS_ROBOT = 0.012;
/** Some block the script on the day they pay: their payment names no visitor. */
const PAYS_UNSEEN = 0.02;

/** The story of one visitor of the demo: the same for the same seed, number and period. */
export function imagineVisitor(seed: number, number: number, period: DemoPeriod): Story {
  const chance = createChance(seed, number);
  const teller = createTeller(chance);
  const payments: DemoPayment[] = [];
  const firstOrigin = chance.pick(shop.ORIGINS);
  let origin = firstOrigin;
  let at = period.pickInstant(chance);
  do {
    teller.beginVisit(origin, at);
    if (teller.isRobot) break;
    const readiness = origin.readiness * (payments.length === 0 && origin !== firstOrigin ? 2 : 1);
    payments.push(...imagineVisit(chance, teller, readiness, period));
    at = teller.now() + VISIT_APART_MS + DAY_MS * chance.wait(DAYS_BETWEEN_VISITS);
    const next = chance.pick(shop.RETURNS);
    origin = next === 'as-before' ? firstOrigin : next;
  } while (chance.isTrue(RETURNS) && at < period.endsAt);
  return { events: teller.events, payments };
}

/** What happens after the first page of a visit. Returns what was paid and paid back for it. */
function imagineVisit(
  chance: Chance,
  teller: Teller,
  readiness: number,
  period: DemoPeriod,
): readonly DemoPayment[] {
  teller.browse(chance.whole(0, 1) + Math.floor(chance.wait(2)));
  if (chance.isTrue(SIGNS_UP)) teller.reachGoal('sign_up', { form: chance.pick(FORMS) });
  if (chance.isTrue(BUYS * readiness)) return buy(chance, teller, period);
  if (chance.isTrue(LEAVES_CART)) putIntoCart(teller, chance.pick(shop.PRODUCTS));
  return [];
}

const FORMS = [
  [3, 'footer'],
  [1, 'checkout'],
] as const;

function buy(chance: Chance, teller: Teller, period: DemoPeriod): readonly DemoPayment[] {
  const joins = chance.isTrue(JOINS_CLUB);
  const product = joins ? shop.CLUB : chance.pick(shop.PRODUCTS);
  putIntoCart(teller, product);
  for (const path of ['/cart', '/checkout', '/thanks']) teller.showPage(path);
  const visitorId = chance.isTrue(PAYS_UNSEEN) ? undefined : teller.visitorId;
  const basket = { product, at: teller.now(), visitorId };
  if (!joins) return imagineGoods(chance, basket, period);
  teller.reachGoal('club_joined', { plan: 'monthly' });
  return imagineMembership(chance, basket, period);
}

function putIntoCart(teller: Teller, product: shop.Product): void {
  teller.showPage(product.path);
  teller.reachGoal('add_to_cart', { product: product.name });
}

/** Writes down what a visitor does, while the visitor's clock runs. */
interface Teller {
  readonly visitorId: string;
  readonly isRobot: boolean;
  readonly events: readonly EventRequest[];
  now(): number;
  beginVisit(origin: shop.Origin, at: number): void;
  /** Shows that many further pages. */
  browse(pages: number): void;
  showPage(path: string): void;
  reachGoal(name: string, metadata: Record<string, string>): void;
}

function createTeller(chance: Chance): Teller {
  const visitorId = chance.uuid(4);
  const isRobot = chance.isTrue(IS_ROBOT);
  const device = chance.pick(isRobot ? ROBOTS : DEVICES);
  const place = chance.pick(HOMES);
  const events: EventRequest[] = [];
  let at = 0;
  let visitId = '';
  let url = '';

  const add = (event: Pick<EventRequest, 'type'> & Partial<EventRequest>) =>
    events.push({
      site: shop.DOMAIN,
      service_visitor_id: visitorId,
      visit_id: visitId,
      event_id: chance.uuid(7, at),
      occurred_at: at,
      url,
      user_agent: device.userAgent,
      screen_width: device.screenWidth,
      ...place,
      ...event,
    });
  const showPage = (path: string, tags = '', referrer = url) => {
    at += url === '' ? 0 : chance.whole(4_000, 20_000) + Math.floor(chance.wait(40_000));
    url = `https://${shop.DOMAIN}${path}${tags && `?${tags}`}`;
    add({ type: 'pageview', referrer, title: toTitle(path) });
  };

  return {
    visitorId,
    isRobot,
    events,
    now: () => at,
    beginVisit(origin, startsAt) {
      at = Math.floor(startsAt);
      visitId = chance.uuid(7, at);
      url = '';
      showPage(origin.entry ?? '/', origin.tags, origin.referrer);
    },
    browse(pages) {
      for (let shown = 0; shown < pages; shown++) showPage(chance.pick(shop.PAGES));
    },
    showPage: (path) => showPage(path),
    reachGoal(name, metadata) {
      at += chance.whole(1_000, 15_000);
      add({ type: 'goal', name, metadata });
    },
  };
}

function toTitle(path: string): string {
  const words = path.split('/').at(-1)?.replaceAll('-', ' ') || 'welcome';
  return `${words[0]?.toUpperCase()}${words.slice(1)} · Leaf & Kettle`;
}
