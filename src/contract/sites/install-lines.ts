/** A request that reports a goal, for a backend. */
export function toGoalLine(server: string): string {
  return toCurl(`${server}/api/v1/goals`, `"service_visitor_id": "${COOKIE}", "name": "signup"`);
}

/** A request that reports a payment, for a backend. */
export function toPaymentLine(server: string, currency: string): string {
  const payment = `"transaction_id": "order_1", "amount": 29.99, "currency": "${currency}"`;
  return toCurl(`${server}/api/v1/payments`, `${payment}, "service_visitor_id": "${COOKIE}"`);
}

/** Apostrophes would end the shell's quotes. */
const COOKIE = '…the visitor’s cookie service_visitor_id…';

function toCurl(url: string, fields: string): string {
  return `curl ${url} \\\n  -H "Authorization: Bearer $TRIBUTARY_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '{${fields}}'`;
}
