/** The names of dimensions in filters, by prefix; Plausible's own names, which the API understands, too. */
const NAMES: Readonly<Record<string, string>> = {
  visit:
    'bot bot_class browser browser_version campaign channel city city_name click_id content country ' +
    'country_name device entry_page exit_page language medium os os_version referrer region ' +
    'region_name screen screen_size source term utm_campaign utm_content utm_medium utm_source utm_term',
  visitor: 'cohort_month cohort_week first_campaign first_channel first_source',
  event: 'goal hostname page title',
  payment: 'country currency product provider renewal',
};

/** Whether the API filters by this dimension. */
export function isFilterDimension(dimension: string): boolean {
  if (/^event:props:[a-z0-9_-]{1,64}$/.test(dimension)) return true;
  const [prefix = '', name = ''] = dimension.split(/:(.*)/s);
  return Object.hasOwn(NAMES, prefix) && (NAMES[prefix] as string).split(' ').includes(name);
}
