/**
 * Tells the page that has this one in a frame how high it is, whenever that changes. Returns what stops it.
 *
 * - Why to anybody: a link may be shown anywhere, and its height is no secret.
 */
export function postHeight(): () => void {
  let last = 0;
  const root = document.getElementById('root') ?? document.body;
  const observer = new ResizeObserver(() => {
    const height = Math.ceil(root.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    parent.postMessage({ tributaryHeight: height }, '*');
  });
  observer.observe(root);
  return () => observer.disconnect();
}
