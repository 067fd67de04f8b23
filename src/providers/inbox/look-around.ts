import {
  factIdsOf,
  findHolders,
  moneyOf,
  readCharge,
  readPayer,
  toChargeSeries,
  toLead,
  toMoneyId,
  toPayerSeries,
} from '../derive/fact-ids.ts';
import type { FindFirstPayer } from '../derive/find-payer.ts';
import type { ProviderFact } from '../facts.ts';
import type { WaitingEvents } from '../ports.ts';
import { readFacts, writeFacts } from './read-facts.ts';

/**
 * Reads the facts that have to be looked at together: those with ids that lead on, and the first charge and trial of each
 * subscription among the others, beside which no later one is the first. `wholly`: ids all of whose facts are looked at.
 */
export async function readAround(
  waiting: Pick<WaitingEvents, 'findTogether' | 'findFirst'>,
  ids: readonly string[],
  wholly: readonly string[],
): Promise<ProviderFact[]> {
  const texts = new Set<string>();
  const money = new Set<string>();
  const looked = new Set<string>();
  let next = [...ids.flatMap((id) => toLead(id) ?? []), ...wholly];
  let named = ids;
  do {
    const found = await waiting.findTogether(next, toLead);
    const facts = [...found.values()].flatMap(readFacts);
    for (const fact of facts) {
      texts.add(writeFacts([fact]).slice(1, -1));
      for (const id of moneyOf(fact)) money.add(id);
    }
    named = [...named, ...facts.flatMap(factIdsOf)];
    const fresh = findHolders(named).filter(
      ([holder, id]) => holder === 'subscription' && !looked.has(id),
    );
    next = [];
    for (const [, id] of fresh) {
      looked.add(id);
      for (const series of toChargeSeries(id)) {
        const firsts = await waiting.findFirst(series, money.size + 1);
        const first = firsts
          .map((each) => readCharge(series, each))
          .find((each) => !money.has(each));
        if (first !== undefined) next.push(toMoneyId(first));
      }
    }
  } while (next.length > 0);
  return [...texts].toSorted().flatMap((text) => readFacts(`[${text}]`));
}

/** The visitors whom the customers and subscriptions among ids named first, by their series. */
export async function readFirstPayers(
  waiting: Pick<WaitingEvents, 'findEachFirst'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const series = findHolders(ids).map((holder) => toPayerSeries(...holder));
  const firsts = series.length === 0 ? [] : await waiting.findEachFirst(series);
  return new Map(firsts.map(([name, id]) => [name, readPayer(id)]));
}

/** Finds the visitors whom the customers and subscriptions of facts named first. */
export async function openFirstPayers(
  waiting: Pick<WaitingEvents, 'findEachFirst'>,
  facts: readonly ProviderFact[],
): Promise<FindFirstPayer> {
  const payers = await readFirstPayers(waiting, facts.flatMap(factIdsOf));
  return (...holder) => payers.get(toPayerSeries(...holder));
}

/** The ids of those customers and subscriptions whose first visitor is another one now. */
export function findTurned(
  ids: readonly string[],
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string[] {
  const isTurned = (series: string) => before.get(series) !== after.get(series);
  return findHolders(ids).flatMap(([holder, id]) =>
    isTurned(toPayerSeries(holder, id)) ? [`${holder} ${id}`] : [],
  );
}
