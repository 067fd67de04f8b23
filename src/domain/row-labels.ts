/** The row label for missing values. */
export const NONE = '(none)';

/** The row label for credit without a visit. It is shown so that rows sum to the total. */
export const UNATTRIBUTED = 'Unattributed';
