import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { addBeginRoutes } from './begin.ts';
import { addLoginRoutes } from './logins.ts';
import { addMeRoute } from './me.ts';

/** The routes of people: logins, links, and what is theirs. */
export function addAccountRoutes(server: Server, deps: ReadDeps): void {
  addLoginRoutes(server, deps);
  addBeginRoutes(server, deps);
  addMeRoute(server, deps);
}
