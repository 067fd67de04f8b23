import { Agent } from 'node:http';
import { type Chance, createChance } from '#cli/demo/chance.ts';
import { type Answer, send, toDecimal } from '../load.ts';
import { createOracle, type Oracle } from '../oracle.ts';
import { recount, untilShipped } from '../recount.ts';
import { createChecks, type Row } from '../row.ts';
import { SITE, startTortureServer, type TortureServer } from '../torture-server.ts';

const RESTARTS = 3;
const AT_ONCE = 64;
const SENDERS = 32;
const TIMES_MAX = 5;

/** T6: every request one to five times, shuffled, across restarts; 64 at once with one key. */
export const duplicates: Row = {
  id: 'T6',
  title: 'every request 1 to 5 times, shuffled, across restarts; 64 at once with one key',
  unit: 'requests',
  quick: 10_000,
  full: 10_000_000,
  async run({ seed, amount, log }) {
    const server = await startTortureServer();
    const oracle = createOracle();
    const checks = createChecks();
    const post = createPost(server);
    try {
      await seeVisitors(post, oracle);
      const figures = { requests: 0, replays: 0, different: 0, refused: 0 };
      const rounds = Math.max(1, Math.ceil(amount / 100_000));
      for (let round = 0; round < rounds; round++) {
        const plan = planRequests(createChance(seed, round), Math.ceil(amount / rounds), round);
        await sendAll({ server, plan, post, oracle, figures, log });
      }
      const conflicts = await sendOtherBodies(post, oracle);
      const atOnce = await sendAtOnce(post, oracle, seed);
      await untilShipped(server);
      const found = await recount(server, oracle, checks);
      checks.equal('every repetition answers as the first did', figures.different, 0);
      checks.equal('every request is accepted', figures.refused, 0);
      checks.equal('another body under the same key is 409', conflicts.refused, conflicts.sent);
      checks.equal(`${AT_ONCE} at once with one key have one answer`, atOnce.answers, 1);
      return {
        numbers: { ...figures, restarts: RESTARTS * rounds, ...found },
        checks: checks.all,
      };
    } finally {
      await server.stop();
      server.cleanUp();
    }
  },
};

type Post = (path: string, body: string, key?: string) => Promise<Answer>;

/** One planned request; the same plan sent twice is a duplicate. */
type Planned = {
  readonly path: string;
  readonly body: string;
  readonly key: string;
  readonly payment: { readonly id: string; readonly amountMinor: number } | undefined;
};

const VISITORS = Array.from({ length: 50 }, (_, index) => `duplicated-${index}`);

function createPost(server: TortureServer): Post {
  const agent = new Agent({ keepAlive: true });
  return async (path, body, key) => {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    for (;;) {
      const answer = await send(agent, server, path, body, headers);
      if (answer.status !== 0 && answer.status !== 503) return answer;
      await server.untilReady(20_000).catch(() => {});
    }
  };
}

async function seeVisitors(post: Post, oracle: Oracle): Promise<void> {
  const events = VISITORS.map((visitor) => ({
    site: SITE,
    type: 'pageview',
    url: `https://${SITE}/`,
    service_visitor_id: visitor,
    event_id: crypto.randomUUID(),
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  }));
  for (const { event_id: id } of events) oracle.sendEvent(id);
  const answer = await post('/api/v1/events', JSON.stringify({ events }));
  if (answer.status !== 200) throw new Error(answer.body);
  for (const { event_id: id } of events) oracle.acknowledgeEvent(id);
}

/** The given number of requests, each with its repetitions in a row, then shuffled. */
function planRequests(chance: Chance, amount: number, round: number): Planned[] {
  const plan: Planned[] = [];
  while (plan.length < amount) {
    const planned = planOne(chance, `${round}-${plan.length}`);
    const times = chance.whole(1, TIMES_MAX);
    for (let time = 0; time < times; time++) plan.push(planned);
  }
  for (let index = plan.length - 1; index > 0; index--) {
    const other = chance.whole(0, index);
    [plan[index], plan[other]] = [plan[other] as Planned, plan[index] as Planned];
  }
  return plan;
}

function planOne(chance: Chance, name: string): Planned {
  const key = `key-${name}`;
  const visitor = VISITORS[chance.whole(0, VISITORS.length - 1)];
  if (chance.isTrue(0.5)) {
    const body = JSON.stringify({ service_visitor_id: visitor, name: 'signup' });
    return { path: '/api/v1/goals', body, key, payment: undefined };
  }
  const amountMinor = chance.whole(0, 10_000_000);
  const id = `payment-${name}`;
  const body = `{"amount":${toDecimal(amountMinor)},"currency":"EUR","transaction_id":"${id}","service_visitor_id":"${visitor}"}`;
  return { path: '/api/v1/payments', body, key, payment: { id, amountMinor } };
}

type Sending = {
  readonly server: TortureServer;
  readonly plan: readonly Planned[];
  readonly post: Post;
  readonly oracle: Oracle;
  readonly figures: { requests: number; replays: number; different: number; refused: number };
  log(line: string): void;
};

/** Sends the plan from many senders, sometimes killing the whole server meanwhile. */
async function sendAll({ server, plan, post, oracle, figures, log }: Sending): Promise<void> {
  const firstAnswers = new Map<string, string>();
  let next = 0;
  let restarts = 0;
  let restarting: Promise<void> = Promise.resolve();
  const restartEvery = Math.ceil(plan.length / (RESTARTS + 1));
  const sender = async () => {
    while (next < plan.length) {
      const planned = plan[next++] as Planned;
      if (next % restartEvery === 0 && restarts < RESTARTS) {
        restarts += 1;
        log(`restart ${restarts} after ${next} of ${plan.length} requests`);
        restarting = restarting.then(async () => {
          await server.killAll();
          await server.startAgain();
        });
      }
      if (planned.payment !== undefined) {
        oracle.sendPayment(planned.payment.id, planned.payment.amountMinor);
      }
      const answer = await post(planned.path, planned.body, planned.key);
      figures.requests += 1;
      if (answer.status !== 200) figures.refused += 1;
      else judge(planned, answer.body);
    }
  };
  const judge = (planned: Planned, body: string) => {
    const first = firstAnswers.get(planned.key);
    if (first !== undefined) {
      figures.replays += 1;
      if (first !== body) figures.different += 1;
      return;
    }
    firstAnswers.set(planned.key, body);
    acknowledge(oracle, planned, body);
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  await restarting;
}

function acknowledge(oracle: Oracle, { payment }: Planned, body: string): void {
  if (payment !== undefined) {
    oracle.acknowledgePayment(payment.id, { amountMinor: payment.amountMinor, refundedMinor: 0 });
    return;
  }
  const id = (JSON.parse(body) as { data: { eventId: string }[] }).data[0]?.eventId ?? '';
  oracle.sendEvent(id);
  oracle.acknowledgeEvent(id);
}

/** One goal, then others under its key. */
async function sendOtherBodies(post: Post, oracle: Oracle) {
  const goal = (name: string) => JSON.stringify({ service_visitor_id: VISITORS[0], name });
  const first = await post('/api/v1/goals', goal('first'), 'taken');
  acknowledge(oracle, { path: '', body: '', key: 'taken', payment: undefined }, first.body);
  const sent = 20;
  let refused = 0;
  for (let index = 0; index < sent; index++) {
    const answer = await post('/api/v1/goals', goal(`other-${index}`), 'taken');
    if (answer.status === 409) refused += 1;
  }
  return { sent, refused };
}

/** The same goal 64 times at once: one event, and the same answer for all. */
async function sendAtOnce(post: Post, oracle: Oracle, seed: number) {
  const body = JSON.stringify({ service_visitor_id: VISITORS[0], name: 'at-once' });
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, () => post('/api/v1/goals', body, `at-once-${seed}`)),
  );
  const ids = new Set(
    answers.map(
      (answer) => (JSON.parse(answer.body) as { data?: { eventId: string }[] }).data?.[0]?.eventId,
    ),
  );
  for (const id of ids) {
    oracle.sendEvent(String(id));
    oracle.acknowledgeEvent(String(id));
  }
  return { answers: ids.size };
}
