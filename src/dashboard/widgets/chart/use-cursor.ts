import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from 'react';

/** A selection being dragged: from one bucket to another. */
export type Selection = { readonly from: number; readonly to: number };

type CursorOptions = {
  /** The number of buckets. */
  readonly count: number;
  readonly toIndex: (x: number) => number;
  readonly onSelect: (from: number, to: number) => void;
  readonly onBack: (() => void) | undefined;
};

/** A drag shorter than this, in pixels, selects nothing. */
const DRAG_FROM = 8;

/** The chart position of the pointer or keyboard, and the selection being dragged. */
export function useCursor({ count, toIndex, onSelect, onBack }: CursorOptions) {
  const [index, setIndex] = useState<number>();
  const [selection, setSelection] = useState<Selection>();
  const [isByKeys, setByKeys] = useState(false);
  const pressedX = useRef<number>(undefined);

  const steps: Readonly<Record<string, number>> = {
    ...{ ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 },
    ...{ PageUp: 7, PageDown: -7, Home: -count, End: count },
  };
  const move = (by: number) => {
    const from = index ?? (by > 0 ? -1 : count);
    setIndex(Math.min(Math.max(from + by, 0), Math.max(count - 1, 0)));
  };
  const stop = () => {
    pressedX.current = undefined;
    setSelection(undefined);
  };
  const handlers = {
    onFocus: () => setByKeys(pressedX.current === undefined),
    onKeyDown: (press: KeyboardEvent) => {
      setByKeys(true);
      const by = steps[press.key];
      if (press.key === 'Escape') {
        stop();
        if (selection === undefined) onBack?.();
        if (selection === undefined && onBack === undefined) setIndex(undefined);
      } else if (by !== undefined) {
        press.preventDefault();
        move(by);
      }
    },
    /** Assistive technology sets the value directly; pointers are handled below. */
    onChange: (change: { readonly currentTarget: HTMLInputElement }) => {
      if (pressedX.current === undefined) setIndex(Number(change.currentTarget.value));
    },
    onPointerDown: (press: PointerEvent<HTMLInputElement>) => {
      if (press.button !== 0) return;
      pressedX.current = xIn(press);
      press.currentTarget.focus({ preventScroll: true });
      press.currentTarget.setPointerCapture(press.pointerId);
      setByKeys(false);
      setIndex(toIndex(xIn(press)));
    },
    onPointerMove: (move: PointerEvent<HTMLInputElement>) => {
      const [x, from] = [xIn(move), pressedX.current];
      setIndex(toIndex(x));
      const isDrag = from !== undefined && Math.abs(x - from) >= DRAG_FROM;
      // Touch moves the cursor; selecting by touch would block scrolling.
      if (isDrag && move.pointerType !== 'touch') {
        setSelection({ from: toIndex(from), to: toIndex(x) });
      }
    },
    onPointerUp: () => {
      stop();
      if (selection !== undefined) onSelect(selection.from, selection.to);
    },
    onPointerCancel: stop,
    onPointerLeave: (leave: PointerEvent) => {
      if (leave.pointerType !== 'touch') setIndex(undefined);
    },
    onBlur: () => setIndex(undefined),
    onMouseDown: (press: MouseEvent) => press.preventDefault(),
    onDoubleClick: () => onBack?.(),
  };
  return { index, selection, isByKeys, handlers, point: setIndex };
}

function xIn(at: PointerEvent<HTMLInputElement>): number {
  return at.clientX - at.currentTarget.getBoundingClientRect().left;
}
