import { useState } from 'react';
import { buttonClass } from '../button.tsx';
import type { PopoverProps } from './menu-props.ts';
import { useLoaded } from './use-loaded.ts';

const load = () => import('./opened-popover.tsx');

/**
 * A popover beside the button that opens it, for forms and calendars. It is loaded on
 * first use.
 */
export function Popover(props: PopoverProps) {
  const { label, name, className, isOpen = false, onOpenChange } = props;
  const [wasOpened, setOpened] = useState(false);
  if (isOpen && !wasOpened) setOpened(true);
  const parts = useLoaded(load, wasOpened);
  if (parts !== undefined) return <parts.OpenedPopover {...props} />;
  if (label === undefined) return null;
  return (
    <button
      type="button"
      className={className ?? buttonClass()}
      aria-label={name}
      aria-haspopup="dialog"
      aria-expanded={false}
      aria-busy={wasOpened}
      data-popup-open={wasOpened ? '' : undefined}
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
}
