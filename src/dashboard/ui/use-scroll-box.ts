import { type RefObject, useLayoutEffect, useState } from 'react';
import { classes } from './classes.ts';
import styles from './scroll-box.module.css';

/** The class of a box that scrolls sideways: its right edge fades while there is more to scroll to. */
export function useScrollBox(box: RefObject<HTMLElement | null>): string {
  const [isCut, setCut] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setCut(element.scrollWidth - element.clientWidth - element.scrollLeft > 1);
    const observer = new ResizeObserver(look);
    for (const each of [element, ...element.children]) observer.observe(each);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [box]);
  return classes(styles.box, isCut && styles.cut);
}
