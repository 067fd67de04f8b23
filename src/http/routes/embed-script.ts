/** The script beside a frame with a shared link: gives it the height that the page inside says it has. */
export const EMBED_SCRIPT = `addEventListener('message', ({ data, origin, source }) => {
  if (!data || typeof data.tributaryHeight !== 'number') return;
  for (const frame of document.querySelectorAll('iframe')) {
    if (frame.contentWindow !== source || new URL(frame.src).origin !== origin) continue;
    frame.style.height = data.tributaryHeight + 'px';
  }
});
`;
