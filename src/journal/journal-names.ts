/** The name that the journal of a web process is registered under. */
export function journalNameOf(index: number): string {
  return `web-${index}`;
}

/** The number of the web process whose journal has the name. */
export function webIndexOf(name: string): number {
  return Number(name.slice(journalNameOf(0).length - 1));
}
