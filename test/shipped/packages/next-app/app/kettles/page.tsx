import { visitorFrom } from '@tributary/next/server';
import { after } from 'next/server';
import { tributary } from '../tributary';

/** A server action. */
async function choose() {
  'use server';
  const visitor = await visitorFrom();
  after(() => tributary.goal({ service_visitor_id: visitor, name: 'chosen' }));
}

export default async function Shop() {
  return (
    <main>
      <h1>Kettles</h1>
      <p id="visitor">{(await visitorFrom()) ?? 'nobody yet'}</p>
      <form action={choose}>
        <button type="submit">Choose</button>
      </form>
      <form method="post" action="/signup">
        <button type="submit">Sign up</button>
      </form>
    </main>
  );
}
