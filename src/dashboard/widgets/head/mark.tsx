/** Two streams that merge. */
export function Logo() {
  return (
    <svg width="22" height="22" viewBox="0 0 22 22" fill="none" aria-hidden="true">
      <g strokeLinecap="round" strokeWidth="2.4">
        <path d="M4 3c0 7 7 6 7 16" stroke="var(--blue-line)" />
        <path d="M18 3c0 7-7 6-7 16" stroke="var(--green-bar)" />
      </g>
    </svg>
  );
}
