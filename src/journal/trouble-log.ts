/** A log of troubles; what is told before `begin` waits for it. */
export function createTroubleLog() {
  const early: string[] = [];
  let write = (message: string): void => {
    early.push(message);
  };
  return {
    tell: (message: string) => write(message),
    begin(log: (message: string) => void) {
      write = log;
      for (const message of early.splice(0)) log(message);
    },
  };
}
