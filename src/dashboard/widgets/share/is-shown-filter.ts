import { SHARE_PANELS } from '#contract/sites/share.ts';
import type { Shared } from '../../api/account.ts';
import type { ViewFilter } from '../../format/dimensions.ts';

/** Whether a shared link answers with this filter: by what its panels show, and not by what visitors have done. */
export function isShownFilter({ panels }: Pick<Shared, 'panels'>, filter: ViewFilter): boolean {
  const { operator, dimension } = filter;
  if (operator === 'has_done' || operator === 'has_not_done') return false;
  if (dimension === 'visit:country_name') return panels.includes('countries');
  return panels.some((panel) => {
    const shown: readonly string[] = SHARE_PANELS[panel];
    return shown.includes(dimension);
  });
}
