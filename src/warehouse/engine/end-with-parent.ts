/**
 * Kills this process when its parent ends, even if the parent has already ended.
 *
 * - Returns a function that installs an orderly shutdown instead, once there is something to shut down.
 * - Why kill: everything acknowledged is on disk, and the next parent waits for the files.
 */
export function endWithParent(): (endInOrder: () => void) => void {
  let end = endAtOnce;
  process.on('disconnect', () => end());
  if (process.connected === false) end();
  return (endInOrder) => {
    end = endInOrder;
  };
}

/** Kills this process with SIGKILL, which nothing can delay. */
export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}
