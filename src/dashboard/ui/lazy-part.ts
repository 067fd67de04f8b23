import { type ComponentType, lazy } from 'react';

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never;

/** A component of a module, which is loaded when it is first shown. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
) {
  type Part = ComponentType<PropsOf<Module[Name]>>;
  return lazy(async () => ({ default: (await load())[name] as Part }));
}
