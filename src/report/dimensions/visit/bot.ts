import { VISIT } from '#contract/rows/visit-row.ts';
import { named, visitDimension } from '../../dimension.ts';

/** Name of the bot (`GPTBot`); `(none)` for people. A query that names it counts bots too. */
export const visitBot = visitDimension('visit:bot', named(VISIT.bot_reason), { tellsBots: true });
