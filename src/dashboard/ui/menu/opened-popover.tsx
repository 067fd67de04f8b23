import { Popover as Base } from '@base-ui/react/popover';
import { buttonClass } from '../button.tsx';
import { classes } from '../classes.ts';
import styles from './menu.module.css';
import type { PopoverProps } from './menu-props.ts';

/** A popover and its button, initially open. */
export function OpenedPopover(props: PopoverProps) {
  const { label, anchor, name, className, isOpen, onOpenChange, align = 'start', children } = props;
  return (
    <Base.Root
      {...(isOpen === undefined ? { defaultOpen: true } : { open: isOpen })}
      {...(onOpenChange && { onOpenChange: (open: boolean) => onOpenChange(open) })}
    >
      {label !== undefined && (
        <Base.Trigger className={className ?? buttonClass()} aria-label={name}>
          {label}
        </Base.Trigger>
      )}
      <Base.Portal>
        <Base.Positioner
          className={styles.layer}
          sideOffset={4}
          align={align}
          {...(anchor && { anchor })}
        >
          <Base.Popup
            className={classes(styles.popup, styles.roomy)}
            aria-label={name ?? (typeof label === 'string' ? label : 'Choices')}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
