import { type ComponentType, type LazyExoticComponent, lazy } from 'react';

/** A component of a module, which is loaded when it is first shown. */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<{ readonly [Each in Name]: ComponentType<Props> }>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await load())[name] }));
}
