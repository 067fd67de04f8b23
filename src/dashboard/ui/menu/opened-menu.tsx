import { Menu as Base } from '@base-ui/react/menu';
import { Popover as BasePopover } from '@base-ui/react/popover';
import { type ReactElement, type ReactNode, type RefObject, useId } from 'react';
import { Arrow, buttonClass } from '../button.tsx';
import { classes } from '../layout.tsx';
import styles from './menu.module.css';

/** One of several values to choose from, under a small heading if it has one. */
export type MenuChoice<Value extends string = string> = {
  readonly heading?: string;
  readonly value: Value;
  readonly choices: readonly {
    readonly value: Value;
    readonly label: ReactNode;
    readonly shortcut?: string;
  }[];
  /** A method, so that a choice of a few values is one of the entries of a menu. */
  onChoose(value: Value): void;
};

/** An entry of a menu: a choice, an action or link with its shortcut, a heading, or what separates them. */
type MenuEntry =
  | MenuChoice
  | {
      readonly label: ReactNode;
      readonly shortcut?: string;
      readonly onClick?: () => void;
      readonly link?: ReactElement;
    }
  | { readonly heading: ReactNode }
  | 'line';

/** A menu: its button's content and its entries. */
export type MenuProps = {
  readonly label: ReactNode;
  /** Whether an arrow says that something opens. */
  readonly hasArrow?: boolean;
  readonly name?: string;
  readonly className?: string;
  readonly entries: readonly MenuEntry[];
  readonly align?: 'start' | 'end';
};

/** A popover and the button that opens it. */
export type PopoverProps = {
  /** The button's content; without it, the popover attaches to `anchor`. */
  readonly label?: ReactNode;
  readonly anchor?: RefObject<HTMLElement | null>;
  readonly name?: string;
  readonly className?: string;
  readonly isOpen?: boolean;
  readonly onOpenChange?: (isOpen: boolean) => void;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
};

/** A menu and its button, open at first. */
export function OpenedMenu(props: MenuProps) {
  const { label, hasArrow = true, name, className, entries, align = 'start' } = props;
  return (
    <Base.Root defaultOpen>
      <Base.Trigger className={className ?? buttonClass()} aria-label={name}>
        {label} {hasArrow && <Arrow />}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={styles.layer} sideOffset={4} align={align}>
          <Base.Popup className={styles.popup}>
            {entries.map((entry, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: entries have no names, and stay in order.
              <Entry key={at} entry={entry} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Entry({ entry }: { readonly entry: MenuEntry }) {
  if (entry === 'line') return <Base.Separator className={styles.line} />;
  if ('choices' in entry) return <Choices {...entry} />;
  if (!('label' in entry)) return <div className={styles.heading}>{entry.heading}</div>;
  const { label, shortcut, onClick, link } = entry;
  return (
    <Base.Item
      className={styles.item}
      {...(onClick && { onClick })}
      {...(link && { render: link })}
    >
      {label}
      {shortcut && <kbd className={styles.key}>{shortcut}</kbd>}
    </Base.Item>
  );
}

function Choices(choice: MenuChoice) {
  const { heading, value, choices } = choice;
  const id = useId();
  return (
    <Base.RadioGroup
      value={value}
      onValueChange={(chosen: string) => choice.onChoose(chosen)}
      aria-labelledby={heading && id}
    >
      {heading && (
        <div id={id} className={styles.heading}>
          {heading}
        </div>
      )}
      {choices.map(({ value: each, label, shortcut }) => (
        <Base.RadioItem key={each} value={each} className={styles.item} closeOnClick>
          {label}
          {shortcut && <kbd className={styles.key}>{shortcut}</kbd>}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

/** A popover and its button, initially open. */
export function OpenedPopover(props: PopoverProps) {
  const { label, anchor, name, className, isOpen, onOpenChange, align = 'start', children } = props;
  return (
    <BasePopover.Root
      {...(isOpen === undefined ? { defaultOpen: true } : { open: isOpen })}
      {...(onOpenChange && { onOpenChange: (open: boolean) => onOpenChange(open) })}
    >
      {label !== undefined && (
        <BasePopover.Trigger className={className ?? buttonClass()} aria-label={name}>
          {label}
        </BasePopover.Trigger>
      )}
      <BasePopover.Portal>
        <BasePopover.Positioner
          className={styles.layer}
          sideOffset={4}
          align={align}
          {...(anchor && { anchor })}
        >
          <BasePopover.Popup
            className={classes(styles.popup, styles.roomy)}
            aria-label={name ?? (typeof label === 'string' ? label : 'Choices')}
          >
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  );
}
