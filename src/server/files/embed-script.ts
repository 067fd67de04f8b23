/** The script for pages that embed a shared link: resizes the frame to the height its page reports. */
export const EMBED_SCRIPT = `addEventListener('message', ({ data, origin, source }) => {
  if (!data || typeof data.tributaryHeight !== 'number') return;
  for (const frame of document.querySelectorAll('iframe')) {
    if (frame.contentWindow !== source || new URL(frame.src).origin !== origin) continue;
    frame.style.height = data.tributaryHeight + 'px';
  }
});
`;
