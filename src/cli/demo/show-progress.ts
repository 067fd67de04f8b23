import { createProgress } from '../create-progress.ts';

/** Passes things on and shows on stderr how many of them have passed. */
export function* showProgress<T>(things: Iterable<T>, total: number, of: string): Generator<T> {
  const show = createProgress(total, of);
  let passed = 0;
  for (const thing of things) {
    yield thing;
    passed++;
    show(passed);
  }
}
