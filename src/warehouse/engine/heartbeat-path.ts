/** Where the supervisor asks the embedded engine for a trifle, to see that it lives. */
export const HEARTBEAT_PATH = '/heartbeat';
