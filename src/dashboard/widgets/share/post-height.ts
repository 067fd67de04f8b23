/**
 * Tells the embedding page this page's height whenever it changes. Returns a function that stops it.
 *
 * - Why to anyone: a link may be shown anywhere, and its height is no secret.
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
