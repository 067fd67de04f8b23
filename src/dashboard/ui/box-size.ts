import { type RefObject, useLayoutEffect, useState } from 'react';
import styles from './layout.module.css';
import { classes } from './layout.tsx';

/**
 * The attributes of a box that scrolls sideways: its right edge fades while there is more to scroll to. Keyboards can
 * scroll it where it has to be scrolled. Also how many columns of a table in it lie to the right.
 */
export function useScrollBox(box: RefObject<HTMLElement | null>, label: string) {
  const [isCut, setCut] = useState(false);
  const [beyond, setBeyond] = useState(0);
  const [isWider, setWider] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => {
      const { scrollWidth, clientWidth, scrollLeft } = element;
      setCut(scrollWidth - clientWidth - scrollLeft > 1);
      setWider(scrollWidth - clientWidth > 1);
      const end = element.getBoundingClientRect().left + clientWidth;
      const heads = [...element.querySelectorAll('thead th')];
      setBeyond(heads.filter((head) => head.getBoundingClientRect().right > end + 1).length);
    };
    const observer = new ResizeObserver(look);
    for (const each of [element, ...element.children]) observer.observe(each);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box]);
  const attributes = {
    className: classes(styles.scrolling, isCut && styles.fading),
    ...(isWider && { role: 'region', 'aria-label': label, tabIndex: 0 }),
  };
  return { attributes, beyond };
}

/** Tracks an element's width; 0 until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (element.current === null) return;
    setWidth(element.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.round(entry.contentRect.width));
    });
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
