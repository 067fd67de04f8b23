export async function POST({ locals, request }) {
  const charge = await request.json();
  const answer = await locals.tributary.payment({
    service_visitor_id: locals.visitor,
    amount_minor: charge.amount,
    currency: charge.currency,
    transaction_id: charge.id,
  });
  return Response.json(answer);
}
