import type { ReadDeps } from '../../server/server-deps.ts';
import type { Server } from '../../server/server-type.ts';
import { addDemoRoutes } from '../sites/demo.ts';
import { addDoctorRoute, addHealthOfSiteRoute } from '../sites/health.ts';
import { addKeyRoutes } from '../sites/keys.ts';
import { addNoticeRoutes } from '../sites/notices.ts';
import { addSharedRoutes } from '../sites/open-share.ts';
import { addSavedRoutes } from '../sites/saved/saved-routes.ts';
import { addShareRoutes } from '../sites/shares.ts';
import { addSiteRoutes } from '../sites/sites.ts';
import { addAuditRoutes } from './audit.ts';
import { addBeginRoutes } from './begin.ts';
import { addInvitationRoutes } from './invitations.ts';
import { addLoginRoutes } from './logins.ts';
import { addMeRoute } from './me.ts';
import { addMemberRoutes } from './members.ts';
import { addOidcRoutes } from './oidc.ts';

/** The dashboard's routes: logins, links, and the sites that people have access to. */
export function addAccountRoutes(server: Server, deps: ReadDeps): void {
  addLoginRoutes(server, deps);
  addBeginRoutes(server, deps);
  addOidcRoutes(server, deps);
  addMeRoute(server, deps);
  addMemberRoutes(server, deps);
  addInvitationRoutes(server, deps);
  addAuditRoutes(server, deps);
  addSiteRoutes(server, deps);
  addDemoRoutes(server, deps);
  addDoctorRoute(server, deps);
  addNoticeRoutes(server, deps);
  addKeyRoutes(server, deps);
  addShareRoutes(server, deps);
  addSharedRoutes(server, deps);
  addHealthOfSiteRoute(server, deps);
  addSavedRoutes(server, deps);
}
