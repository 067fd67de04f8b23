/** The path of the embedded engine's heartbeat, which the supervisor polls. */
export const HEARTBEAT_PATH = '/heartbeat';
