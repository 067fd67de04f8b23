import {
  COST_FILE_MAX,
  CostFileAnswer,
  CostFileRequest,
  CostImportPath,
  CostImportsAnswer,
  CostsRemovedAnswer,
} from '#contract/sites/costs.ts';
import { countNoun } from '#domain/count-noun.ts';
import type { Result } from '#domain/result.ts';
import type { Site } from '#domain/site/site.ts';
import { RefusedRequest, refuseFaults } from '#server/errors/errors.ts';
import type { Server } from '#server/server-type.ts';
import { siteRoutes } from '../access/routes.ts';
import type { SiteAccess } from '../access/users.ts';

/** The costs of sites that came from files. */
export interface ManagesCosts {
  list(siteId: string): Promise<CostImportsAnswer>;
  /** Refuses what is no file of costs, and says why. */
  importFile(
    site: Pick<Site, 'id' | 'timezone'>,
    asked: CostFileRequest,
  ): Promise<Result<CostFileAnswer, string>>;
  /** Removes the costs of an import and returns their number; undefined if there is no such import. */
  remove(siteId: string, importId: string): Promise<number | undefined>;
}

/** As JSON, quotes and lines of a file take two characters each. */
const BODY_MAX = COST_FILE_MAX * 1.5;

/** `/api/v1/sites/{id}/costs`: files of what was spent. */
export function addCostFileRoutes(
  server: Server,
  deps: SiteAccess & { readonly costs: ManagesCosts },
): void {
  const { costs } = deps;
  const add = siteRoutes(server, deps);

  add('GET /costs', 'admin', {
    operation: ['listCostImports', 'List imported files of costs'],
    answer: CostImportsAnswer,
    isRead: true,
    handle: ({ site }) => costs.list(site.id),
  });

  add('POST /costs', 'admin', {
    operation: ['importCosts', 'Import a CSV file of costs, or try it'],
    body: CostFileRequest,
    answer: CostFileAnswer,
    bodyLimit: BODY_MAX,
    async handle({ site, body, note }) {
      const imported = await costs.importFile(site, body);
      if (!imported.ok) throw refuseFaults([{ path: '/csv', message: imported.error }]);
      const { id, file, lines } = imported.value;
      if (id !== undefined)
        await note('costs imported', `${file} (${id}), ${countNoun(lines, 'line')}`);
      return imported.value;
    },
  });

  add('DELETE /costs/:import', 'admin', {
    operation: ['removeCosts', 'Remove the costs of an import'],
    params: CostImportPath,
    answer: CostsRemovedAnswer,
    async handle({ site, params, note }) {
      const removed = await costs.remove(site.id, params.import);
      if (removed === undefined) {
        throw new RefusedRequest('not_found', 'The site has no such import of costs.');
      }
      await note('costs removed', `${params.import}: ${removed}`);
      return { removed };
    },
  });
}
