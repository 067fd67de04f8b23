/** Whether the page is a developer's own: of this machine, or a file. */
export function isLocalPage(): boolean {
  return /^$|^(.+\.)?localhost$|^127\.|^\[::1\]$/.test(location.hostname);
}
