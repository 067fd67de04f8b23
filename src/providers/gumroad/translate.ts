import { hundredths, readMinor } from '../amounts.ts';
import type { PaymentFact, Translation } from '../facts.ts';
import { type JsonObject, textAt } from '../json.ts';
import type { ProviderEvent } from '../provider.ts';
import {
  ignored,
  join,
  stateDispute,
  stateLink,
  statePayment,
  stateRefund,
} from '../state-facts.ts';
import { readIso } from '../times.ts';
import { toVisitorId } from '../visitor-id.ts';

/** What a ping of Gumroad states. Amounts are cents of US dollars; the money is the sale. */
export function translateGumroad({ type, body, receivedAt }: ProviderEvent): Translation {
  const of = textAt(body, 'sale_id');
  switch (type) {
    case 'sale':
      return translateSale(body);
    case 'refund':
      return join(translateSale(body), translateTotal(of, body, receivedAt));
    case 'dispute':
    case 'dispute_won': {
      const state = type === 'dispute' ? 'open' : 'won';
      const dispute = stateDispute({ id: of && `dispute:${of}`, of, at: receivedAt, state });
      return join(translateSale(body), dispute);
    }
    case 'cancellation':
    case 'subscription_updated':
    case 'subscription_ended':
    case 'subscription_restarted':
      return stateLink({ subscriptionId: textAt(body, 'subscription_id'), ...payerOf(body) });
    default:
      return { kind: 'unknown' };
  }
}

function translateSale(
  sale: JsonObject,
  recurring: PaymentFact['recurring'] = textAt(sale, 'is_recurring_charge') === 'true',
): Translation {
  const subscriptionId = textAt(sale, 'subscription_id');
  const amount = readMinor(sale.price, 'USD', hundredths);
  if (amount.ok && amount.value.minor === 0n && subscriptionId === undefined) {
    return ignored('Nothing was charged.');
  }
  return statePayment({
    id: textAt(sale, 'sale_id'),
    amount,
    paidAt: readIso(sale.sale_timestamp),
    recurring,
    subscriptionId,
    product: textAt(sale, 'product_name'),
    ...payerOf(sale),
  });
}

/** A refund names neither itself nor its amount. One of a part of the price is no event. */
function translateTotal(of: string | undefined, sale: JsonObject, receivedAt: number): Translation {
  const amount = readMinor(sale.price, 'USD', hundredths);
  return stateRefund({ id: of, of, amount, at: receivedAt, state: 'done' });
}

/** A sale of the list. */
export function translateListed(sale: JsonObject): Translation {
  const id = textAt(sale, 'id');
  const at = readIso(sale.created_at);
  const payment = translateSale(
    { ...sale, sale_id: id, sale_timestamp: sale.created_at },
    sale.is_recurring_billing === true ? 'unless_first' : false,
  );
  const amount = readMinor(sale.price, 'USD', hundredths);
  const isDisputed = sale.disputed === true && at !== undefined;
  return join(
    payment,
    ...(sale.refunded === true ? [stateRefund({ id, of: id, amount, at, state: 'done' })] : []),
    ...(isDisputed
      ? [
          stateDispute({
            ...{ id: `dispute:${id}`, of: id, at },
            state: sale.dispute_won === true ? 'won' : 'open',
          }),
        ]
      : []),
  );
}

function payerOf(sale: JsonObject) {
  const { 'url_params[service_visitor_id]': own, 'url_params[visitor_id]': plain } = sale;
  return {
    visitorId: toVisitorId(own) ?? toVisitorId(plain),
    customerId: textAt(sale, 'purchaser_id'),
    email: textAt(sale, 'email') ?? textAt(sale, 'user_email'),
    name: textAt(sale, 'full_name'),
  };
}
