import { type KeyboardEvent, useEffect, useState } from 'react';
import { Arrow, buttonClass } from '../button.tsx';
import type { MenuChoice, MenuProps, PopoverProps } from './opened-menu.tsx';

type Parts = typeof import('./opened-menu.tsx');

const load = (): Promise<Parts> => import('./opened-menu.tsx');

/**
 * What menus and popovers are made of, once it is wanted; undefined until it is there.
 *
 * - Why not `lazy`: React shows what has waited at most every 300 ms.
 */
function useLoaded(isWanted: boolean): Parts | undefined {
  const [parts, setParts] = useState<Parts>();
  useEffect(() => {
    if (isWanted) void load().then(setParts);
  }, [isWanted]);
  return parts;
}

/** A button that opens a list of actions or choices. The list itself is loaded on first use. */
export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const parts = useLoaded(isWanted);
  if (parts === undefined) {
    return (
      <ClosedButton {...props} opens="menu" isWanted={isWanted} onOpen={() => setWanted(true)} />
    );
  }
  return <parts.OpenedMenu {...props} />;
}

type ChoiceMenuProps<Value extends string> = MenuChoice<Value> &
  Omit<MenuProps, 'entries' | 'label' | 'name'> & {
    /** What is chosen: `Period`. */
    readonly name: string;
    /** What the button says, if not the label of the chosen value. */
    readonly label?: string;
  };

/** A button that says which of several values is chosen, and opens the list of them. */
export function ChoiceMenu<Value extends string>(props: ChoiceMenuProps<Value>) {
  const { heading, value, choices, onChoose, name, ...menu } = props;
  const label = menu.label ?? choices.find((each) => each.value === value)?.label;
  const choice = { ...(heading && { heading }), value, choices, onChoose } as MenuChoice;
  return <Menu {...menu} label={label} name={`${name}: ${label}`} entries={[choice]} />;
}

/** A popover beside the button that opens it, for forms and calendars. It is loaded on first use. */
export function Popover(props: PopoverProps) {
  const { label, isOpen = false, onOpenChange } = props;
  const [wasOpened, setOpened] = useState(false);
  if (isOpen && !wasOpened) setOpened(true);
  const parts = useLoaded(wasOpened);
  if (parts !== undefined) return <parts.OpenedPopover {...props} />;
  if (label === undefined) return null;
  const open = () => {
    setOpened(true);
    onOpenChange?.(true);
  };
  return (
    <ClosedButton {...props} hasArrow={false} opens="dialog" isWanted={wasOpened} onOpen={open} />
  );
}

type ClosedButtonProps = Pick<MenuProps, 'hasArrow'> &
  Pick<PopoverProps, 'label' | 'name' | 'className'> & {
    readonly opens: 'menu' | 'dialog';
    readonly isWanted: boolean;
    readonly onOpen: () => void;
  };

/** The button of what is not loaded yet: that begins as soon as somebody is about to open it. */
function ClosedButton(props: ClosedButtonProps) {
  const { label, hasArrow = true, name, className, opens, isWanted, onOpen } = props;
  const openBelow = ({ key }: KeyboardEvent) => {
    if (opens === 'menu' && key === 'ArrowDown') onOpen();
  };
  return (
    <button
      type="button"
      className={className ?? buttonClass()}
      aria-label={name}
      aria-haspopup={opens}
      aria-expanded={false}
      aria-busy={isWanted}
      data-popup-open={isWanted ? '' : undefined}
      onPointerEnter={load}
      onFocus={load}
      onClick={onOpen}
      onKeyDown={openBelow}
    >
      {label} {hasArrow && <Arrow />}
    </button>
  );
}
