import { accepted } from '#api/queries/report-route.ts';
import { unknownPayment } from '#api/records/payment-list.ts';
import { PaymentArguments } from '#contract/mcp/tools.ts';
import { tool } from './tool.ts';

/** `explain_payment`: which visits get the credit for a payment, or why none does. */
export const explainPaymentTool = tool({
  name: 'explain_payment',
  title: 'Explain a payment',
  description:
    'Where one payment came from: the visits that get its credit, by the model, with source, campaign and entry page; or why it is not attributed and what to do. Without names and e-mail addresses.',
  scope: 'stats:read',
  schema: PaymentArguments,
  async run({ site: _, transaction_id: id, ...how }, { site, stops }, deps) {
    const found = accepted(await deps.explainPayment(site, { id, ...how }, stops));
    if (found === undefined) throw unknownPayment(id);
    const { credit, visits, why } = found;
    // An assistant has no need to know who paid.
    const { email: __, name: ___, changes: ____, ...payment } = found.payment;
    return {
      payment,
      ...(why !== undefined && { not_attributed_because: why }),
      model: how.model ?? 'first_touch',
      visits_of_the_person: visits,
      rows: credit.map(({ at, values, revenue }) => ({ at, revenue, ...values })),
    };
  },
});
