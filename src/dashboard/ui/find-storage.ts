/** What this browser keeps for the dashboard. A frame in a third-party page may have none. */
export function findStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
