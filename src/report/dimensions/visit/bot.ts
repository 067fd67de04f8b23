import { NONE, named, type VisitDimension } from '../../dimension.ts';

/** The bot by its name (`GPTBot`); `(none)` for people. A query that names it counts bots too. */
export const visitBot = {
  of: 'visit',
  name: 'visit:bot',
  sql: named('bot_reason', NONE),
  tellsBots: true,
} as const satisfies VisitDimension;
