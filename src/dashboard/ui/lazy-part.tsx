import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

type PropsOf<Part> = Part extends ComponentType<infer Props> ? Props : never;

/** A component of a module, which is loaded when it is first shown. Without a placeholder, what is around waits. */
export function lazyPart<Module, Name extends keyof Module>(
  load: () => Promise<Module>,
  name: Name,
  placeholder?: ReactNode,
) {
  const Part = lazy(async () => ({ default: (await load())[name] as ComponentType<object> }));
  const withPlaceholder = (props: object) => (
    <Suspense fallback={placeholder}>
      <Part {...props} />
    </Suspense>
  );
  const shown: unknown = placeholder === undefined ? Part : withPlaceholder;
  return shown as ComponentType<PropsOf<Module[Name]>>;
}
