import { readMajor, readMinor, withoutMinus } from '../amounts.ts';
import type { Translation } from '../facts.ts';
import type { JsonValue } from '../json.ts';
import type { ConnectionSecrets, ProviderEvent } from '../provider.ts';
import { ignored, stateDispute, statePayment, stateRefund } from '../state-facts.ts';
import { readIso, readMillis, readSeconds } from '../times.ts';
import { toVisitorId } from '../visitor-id.ts';
import { readPath } from './read-path.ts';

type Settings = ConnectionSecrets['settings'];

/** What an event can be. */
type Meaning = 'paid' | 'refunded' | 'refund_failed' | 'disputed' | 'won' | 'lost';

/** The states that mean something, unless the settings name others. */
const USUAL: Readonly<Record<Meaning, string>> = {
  paid: 'paid, succeeded, success, completed, captured',
  refunded: 'refunded, partially_refunded',
  refund_failed: 'refund_failed',
  disputed: 'disputed',
  won: 'dispute_won',
  lost: 'dispute_lost',
};

/** What an event of any other system states, by the fields that the settings name. */
export function translateGeneric(
  { type, body, receivedAt }: ProviderEvent,
  settings: Settings,
): Translation {
  const at = (name: string) => readPath(body, settings[`${name}_path`]);
  const textOf = (name: string) => scalarText(at(name));
  const meaning = meaningOf(type, settings);
  if (meaning === undefined) {
    return type === NO_STATE ? ignored('It states no state.') : { kind: 'unknown' };
  }
  const id = textOf('id');
  const of = textOf('refund_of') ?? id;
  const amount = readAmount(at('amount'), textOf('currency') ?? settings.currency, settings);
  const time = readTime(at('time')) ?? receivedAt;
  switch (meaning) {
    case 'paid': {
      const subscriptionId = textOf('subscription');
      const isRenewal = RENEWED.has(textOf('renewal')?.toLowerCase() ?? '');
      return statePayment({
        ...{ id, amount, subscriptionId, paidAt: time },
        recurring: isRenewal || (subscriptionId === undefined ? false : 'unless_first'),
        product: textOf('product'),
        visitorId: toVisitorId(at('visitor')),
        customerId: textOf('customer'),
        email: textOf('email'),
        name: textOf('name'),
      });
    }
    case 'refunded':
      return stateRefund({ id, of, amount, at: time, state: 'done' });
    case 'refund_failed':
      return stateRefund({ id, of, amount, at: time, state: 'undone' });
    case 'disputed':
    case 'won':
    case 'lost': {
      const state = meaning === 'disputed' ? 'open' : meaning;
      return stateDispute({ id: of && `dispute:${of}`, of, amount, at: time, state });
    }
  }
}

/** The state of an event without one, where the settings say where it would be. */
export const NO_STATE = '(none)';

/** What a state means. Without a field for it, every event is a payment. */
function meaningOf(state: string, settings: Settings): Meaning | undefined {
  if (!settings.state_path) return 'paid';
  const meanings = Object.keys(USUAL) as Meaning[];
  return meanings.find((meaning) =>
    (settings[`${meaning}_states`] || USUAL[meaning])
      .split(',')
      .some((each) => each.trim().toLowerCase() === state.toLowerCase()),
  );
}

const RENEWED = new Set(['true', '1', 'yes', 'renewal', 'recurring']);

function readAmount(value: JsonValue | undefined, code: string | undefined, settings: Settings) {
  const read = settings.amount_unit === 'minor' ? readMinor : readMajor;
  return read(withoutMinus(value), code);
}

/** An instant of ISO 8601, or a number of seconds or milliseconds. */
function readTime(value: JsonValue | undefined): number | undefined {
  const isMillis = /^\d{12,}$/.test(String(value));
  return readIso(value) ?? (isMillis ? readMillis(value) : readSeconds(value));
}

/** A value as text: numbers and yes and no too. */
export function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
