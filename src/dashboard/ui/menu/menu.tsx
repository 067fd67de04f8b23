import { lazy, Suspense, useState } from 'react';
import { buttonClass } from '../button.tsx';
import type { ChoicesProps, MenuProps } from './menu-props.ts';

const load = () => import('./opened-menu.tsx');
const OpenedMenu = lazy(async () => ({ default: (await load()).OpenedMenu }));

/** A button that opens a list of actions or choices. The menu itself is loaded on first use. */
export function Menu(props: MenuProps) {
  const { label, name, className } = props;
  const [isWanted, setWanted] = useState(false);
  const button = (
    <button
      type="button"
      className={className ?? buttonClass()}
      aria-label={name}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={load}
      onFocus={load}
      onClick={() => setWanted(true)}
      onKeyDown={({ key }) => key === 'ArrowDown' && setWanted(true)}
    >
      {label}
    </button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <OpenedMenu {...props} />
    </Suspense>
  );
}

/** One action of a {@link Menu}. */
export const MenuItem = lazy(async () => ({ default: (await load()).OpenedItem }));

const Choices = lazy(async () => ({ default: (await load()).OpenedChoices }));

/** Choices of a {@link Menu}, one selected. */
export function MenuChoices<Value extends string>(props: ChoicesProps<Value>) {
  return <Choices {...(props as unknown as ChoicesProps<string>)} />;
}

/** A separator in a {@link Menu}. */
export const MenuLine = lazy(async () => ({ default: (await load()).OpenedLine }));

/** A section heading in a {@link Menu}. */
export const MenuHeading = lazy(async () => ({ default: (await load()).OpenedHeading }));
