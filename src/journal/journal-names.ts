/** The name that the web process's journal is registered under. */
export const JOURNAL_NAME = 'web';
