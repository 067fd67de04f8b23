import { lazy, Suspense, useState } from 'react';
import { buttonClass } from '../button.tsx';
import type { PopoverProps } from './menu-props.ts';

const load = () => import('./opened-popover.tsx');
const OpenedPopover = lazy(async () => ({ default: (await load()).OpenedPopover }));

/**
 * A popover beside the button that opens it, for forms and calendars. It is loaded on
 * first use.
 */
export function Popover(props: PopoverProps) {
  const { label, name, className, isOpen = false, onOpenChange } = props;
  const [wasOpened, setOpened] = useState(false);
  if (isOpen && !wasOpened) setOpened(true);
  const button = label !== undefined && (
    <button
      type="button"
      className={className ?? buttonClass()}
      aria-label={name}
      aria-haspopup="dialog"
      aria-expanded={false}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => {
        setOpened(true);
        onOpenChange?.(true);
      }}
    >
      {label}
    </button>
  );
  if (!wasOpened) return button;
  return (
    <Suspense fallback={button}>
      <OpenedPopover {...props} />
    </Suspense>
  );
}
