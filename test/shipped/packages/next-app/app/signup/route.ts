import { visitorFrom } from '@tributary/next/server';
import { tributary } from '../tributary';

/** A route handler. */
export async function POST(request: Request) {
  await tributary.goal({ service_visitor_id: await visitorFrom(request), name: 'signup' });
  return new Response('Welcome');
}
