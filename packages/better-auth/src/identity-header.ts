/** The header in which the server gives the browser its signed identity: `user_hash user_id`. */
export const IDENTITY_HEADER = 'x-tributary-identity';
