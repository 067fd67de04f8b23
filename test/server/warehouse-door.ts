import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { ENGINE } from './program.ts';

/** An engine behind a proxy port, the door: while shut, the warehouse is down. */
export interface WarehouseDoor {
  /** For `CLICKHOUSE_URL`. */
  readonly url: string;
  readonly enginePid: number;
  /** The rows of an SQL query, straight from the engine, door or not. */
  ask(sql: string): Promise<string[][]>;
  open(): void;
  /** Breaks all connections, and new ones as soon as they are made. */
  shut(): void;
  stop(): Promise<void>;
}

/** Starts an engine below `dataDir`, with an open door in front. */
export async function startWarehouseDoor(dataDir: string): Promise<WarehouseDoor> {
  const socketPath = join(dataDir, 'run', 'warehouse.sock');
  const engine: ChildProcess = fork(ENGINE, [join(dataDir, 'warehouse'), socketPath]);
  await once(engine, 'message');
  const sockets = new Set<Socket>();
  let isOpen = true;
  const door = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    if (!isOpen) {
      socket.destroy();
      return;
    }
    const inside = connect(socketPath);
    inside.on('error', () => socket.destroy());
    inside.on('close', () => socket.destroy());
    socket.on('close', () => inside.destroy());
    socket.pipe(inside).pipe(socket);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const { port } = door.address() as AddressInfo;
  const shut = () => {
    isOpen = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${port}/tributary`,
    enginePid: engine.pid as number,
    ask: (sql) => askEngine(socketPath, sql),
    open: () => {
      isOpen = true;
    },
    shut,
    async stop() {
      shut();
      door.close();
      engine.kill('SIGCONT'); // A test may have stopped it.
      engine.kill('SIGTERM');
      if (engine.exitCode === null) await once(engine, 'exit');
    },
  };
}

/** The rows of an SQL query, bypassing the server, through the engine's own socket. */
export function askEngine(socketPath: string, sql: string): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath, method: 'POST', path: '/?database=tributary', timeout: 60_000 },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk as Buffer);
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode !== 200) reject(new Error(text));
        else resolve(text === '' ? [] : text.trimEnd().split('\n').map(toCells));
      },
    );
    asked.on('error', reject);
    asked.end(sql);
  });
}

function toCells(line: string): string[] {
  return line.split('\t');
}
