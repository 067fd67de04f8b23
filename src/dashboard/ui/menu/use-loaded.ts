import { useEffect, useState } from 'react';

/**
 * A module that is loaded once it is wanted; undefined until it is there.
 *
 * - Why not `lazy`: React shows what has waited at most every 300 ms, and a menu with items waits twice.
 */
export function useLoaded<Module>(
  load: () => Promise<Module>,
  isWanted: boolean,
): Module | undefined {
  const [module, setModule] = useState<Module>();
  useEffect(() => {
    if (isWanted) void load().then(setModule);
  }, [isWanted, load]);
  return module;
}
