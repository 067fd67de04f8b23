import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** What kind of bot it was; `(none)` for people. A query that names it counts bots too. */
export const visitBotClass = {
  of: 'visit',
  name: 'visit:bot_class',
  sql: named('bot_class', NONE),
  tellsBots: true,
} as const satisfies VisitDimension;
