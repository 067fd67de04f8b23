/** SQL of when a visit became a touch, in milliseconds, over rows of `visits`. */
export const TOUCH_AT = 'touched_at';

/** SQL of whether nothing tells where a visit came from, over rows of `visits FINAL`. */
export const IS_DIRECT = "source = '' AND medium = '' AND campaign = '' AND click_id = ''";
