import { after, type NextRequest, NextResponse } from 'next/server';
import { connectStripe } from '../stripe';
import { readCookies, reportGoal } from '../tributary';

/** Opens a Checkout Session and sends the customer there. */
export async function POST(request: NextRequest) {
  const cookies = readCookies(request);
  const origin = request.headers.get('origin') ?? request.nextUrl.origin;
  const session = await connectStripe().checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: process.env.STRIPE_PRICE_ID, quantity: 1 }],
    success_url: `${origin}/thanks`,
    cancel_url: origin,
    // All that the payment needs to find its visitor. The reference is shown in Stripe's dashboard, too.
    metadata: { service_visitor_id: cookies.service_visitor_id },
    client_reference_id: cookies.service_visitor_id,
  });
  // After the response: the customer goes on at once. The key makes a repeated report one goal.
  const key = `checkout-${session.id}`;
  after(() => reportGoal(cookies.service_visitor_id, 'checkout_started', {}, key));
  return NextResponse.redirect(session.url ?? origin, 303);
}
