/**
 * Ends this process at once when its parent is gone, which may have been before anybody listened.
 *
 * - Answers what has it end in another way from then on, once there is something to end in order.
 * - Why at once: all that was acknowledged is on disk, and the next parent waits for the files.
 */
export function endWithParent(): (endInOrder: () => void) => void {
  let end = endAtOnce;
  process.on('disconnect', () => end());
  if (process.connected === false) end();
  return (endInOrder) => {
    end = endInOrder;
  };
}

/** As a crash would: nothing that hangs can hold it up. */
export function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}
