/** Half-life of `time_decay`: a touch weighs half as much as one that is this much later. */
export const HALF_LIFE_MS = 7 * 86_400_000;

/** Weight of a path's last touch. Large enough that rounding to whole weights never changes a cent. */
export const LAST_TOUCH_WEIGHT = 1_000_000_000;

/** A visit that starts this soon after a payment is credited if no visit started before it. */
export const LATE_TOUCH_MAX_MS = 10 * 60 * 1_000;
