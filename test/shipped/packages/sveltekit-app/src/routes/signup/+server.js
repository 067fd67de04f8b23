export function POST({ locals }) {
  locals.tributary.queue.goal({ service_visitor_id: locals.visitor, name: 'signup' });
  return new Response('Welcome');
}
