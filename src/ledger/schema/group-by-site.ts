/** Values by the site that comes with them. */
export function groupBySite<T>(all: readonly (readonly [siteId: string, value: T])[]) {
  const sites = Map.groupBy(all, ([siteId]) => siteId);
  return [...sites].map(([siteId, of]) => [siteId, of.map(([, value]) => value)] as const);
}
