import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'node:test';

/** Servers of a test on free loopback ports, which end with it. */
export interface Listeners {
  /** Returns the server's URL. */
  open(listener: RequestListener): Promise<string>;
  /** Ends all at once, with their connections. */
  close(): void;
}

/** Opens servers for the tests of the suite that calls this. */
export function openListeners(): Listeners {
  const closings: (() => void)[] = [];
  const close = () => {
    for (const end of closings.splice(0)) end();
  };
  afterEach(close);
  return {
    close,
    async open(listener) {
      const server = createServer(listener).listen(0, '127.0.0.1');
      await once(server, 'listening');
      closings.push(() => {
        server.closeAllConnections();
        server.close();
      });
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  };
}
