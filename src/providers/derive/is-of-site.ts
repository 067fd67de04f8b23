import type { DerivedGroup } from './derive-payments.ts';

/** Whether money is for the site of a connection, where several sites share the account. */
export function isOfSite(
  { site, payments }: DerivedGroup,
  { only_site: ownSite, only_products: ownProducts }: Readonly<Record<string, string>>,
): boolean {
  const products = ownProducts?.split(',').map((name) => name.trim());
  const isOfProducts = () =>
    payments.some(({ payment: { product } }) => product && products?.includes(product));
  return (!ownSite || site === ownSite) && (products === undefined || isOfProducts());
}
