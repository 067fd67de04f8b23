import { createContext, type KeyboardEvent, useContext, useEffect, useState } from 'react';
import { Arrow, buttonClass } from '../button.tsx';
import type {
  ChoicesProps,
  HeadingProps,
  ItemProps,
  MenuProps,
  PopoverProps,
} from './opened-menu.tsx';

type Parts = typeof import('./opened-menu.tsx');

const load = (): Promise<Parts> => import('./opened-menu.tsx');

const PartsContext = createContext<Parts | undefined>(undefined);

/**
 * What menus and popovers are made of, once it is wanted; undefined until it is there.
 *
 * - Why not `lazy`: React shows what has waited at most every 300 ms, and a menu with items waits twice.
 */
function useLoaded(isWanted: boolean): Parts | undefined {
  const [parts, setParts] = useState<Parts>();
  useEffect(() => {
    if (isWanted) void load().then(setParts);
  }, [isWanted]);
  return parts;
}

/** A button that opens a list of actions or choices. The menu itself is loaded on first use. */
export function Menu(props: MenuProps) {
  const [isWanted, setWanted] = useState(false);
  const parts = useLoaded(isWanted);
  if (parts === undefined) {
    return (
      <ClosedButton {...props} opens="menu" isWanted={isWanted} onOpen={() => setWanted(true)} />
    );
  }
  return (
    <PartsContext value={parts}>
      <parts.OpenedMenu {...props} />
    </PartsContext>
  );
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

/** One action of a {@link Menu}. */
export function MenuItem(props: ItemProps) {
  const { OpenedItem } = useParts();
  return <OpenedItem {...props} />;
}

/** Choices of a {@link Menu}, one selected. */
export function MenuChoices<Value extends string>(props: ChoicesProps<Value>) {
  const { OpenedChoices } = useParts();
  return <OpenedChoices {...props} />;
}

/** A separator in a {@link Menu}. */
export function MenuLine() {
  const { OpenedLine } = useParts();
  return <OpenedLine />;
}

/** A section heading in a {@link Menu}. */
export function MenuHeading(props: HeadingProps) {
  const { OpenedHeading } = useParts();
  return <OpenedHeading {...props} />;
}

/** Throws outside a menu: a bug. */
function useParts(): Parts {
  const parts = useContext(PartsContext);
  if (parts === undefined) throw new Error('this belongs to no menu');
  return parts;
}
