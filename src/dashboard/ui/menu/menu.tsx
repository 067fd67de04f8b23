import { createContext, useContext, useState } from 'react';
import { buttonClass } from '../button.tsx';
import { Arrow } from './arrow.tsx';
import type { ChoicesProps, HeadingProps, ItemProps, MenuProps } from './menu-props.ts';
import { useLoaded } from './use-loaded.ts';

type Parts = typeof import('./opened-menu.tsx');

const load = (): Promise<Parts> => import('./opened-menu.tsx');

const PartsContext = createContext<Parts | undefined>(undefined);

/** A button that opens a list of actions or choices. The menu itself is loaded on first use. */
export function Menu(props: MenuProps) {
  const { label, hasArrow = true, name, className } = props;
  const [isWanted, setWanted] = useState(false);
  const parts = useLoaded(load, isWanted);
  if (parts !== undefined) {
    return (
      <PartsContext value={parts}>
        <parts.OpenedMenu {...props} />
      </PartsContext>
    );
  }
  return (
    <button
      type="button"
      className={className ?? buttonClass()}
      aria-label={name}
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={isWanted}
      data-popup-open={isWanted ? '' : undefined}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
      onKeyDown={({ key }) => key === 'ArrowDown' && setWanted(true)}
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
