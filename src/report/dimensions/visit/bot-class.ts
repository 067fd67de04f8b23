import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Class of the bot; `(none)` for people. A query that names it counts bots too. */
export const visitBotClass = visitDimension('visit:bot_class', named(VISIT.bot_class), {
  tellsBots: true,
});
