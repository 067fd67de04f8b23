/** The database of the embedded engine. `CLICKHOUSE_URL` names that of a remote server. */
export const EMBEDDED_DATABASE = 'tributary';
