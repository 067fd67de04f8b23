/** All attribution models. The first is the default. */
export const ATTRIBUTION_MODELS = [
  'first_touch',
  'last_touch',
  'first_non_direct',
  'last_non_direct',
  'linear',
  'position_based',
  'time_decay',
  'data_driven',
] as const;

/** The rule that credits the touches before a payment or goal. See docs/attribution.md. */
export type AttributionModel = (typeof ATTRIBUTION_MODELS)[number];
