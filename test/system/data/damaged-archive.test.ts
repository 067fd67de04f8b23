import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { listArchive, readArchiveFile } from '#journal/archive/read-archive.ts';
import { addCaller, type Caller } from '../../server/caller.ts';
import { MAIN } from '../../server/program.ts';
import { makeDataDir, runCli, startServer, type TestServer } from '../../server/start-server.ts';
import { verifyData } from '../../server/verify-data.ts';
import { waitUntil } from '../../server/wait-until.ts';

type Receipt = { erasure: { state: string; counts: Record<string, number> } };
type Rebuilt = { events: number; differences: { what: string; found: string }[] };

/** An archive file with one shipment each of anna, ben, anna, carl, anna and carl. */
describe('an archive with damaged bytes', () => {
  let dataDir: string;
  let server: TestServer;
  let caller: Caller;
  let path: string;
  let header: Buffer;
  let lines: Buffer;

  before(async () => {
    dataDir = makeDataDir();
    server = await startServer({ dataDir });
    caller = await addCaller(server.url, dataDir, 'example.com');
    for (const [index, visitor] of ['anna', 'ben', 'anna', 'carl'].entries()) {
      await caller.pageview(visitor, `/${index}`);
      await untilArchived(index + 1);
    }
    await caller.post('/api/v1/events', {
      events: ['anna', 'carl'].map((visitor) => ({
        ...{ site: 'example.com', type: 'pageview', url: 'https://example.com/5' },
        ...{ service_visitor_id: visitor, user_agent: 'Mozilla/5.0 (X11) Firefox/140.0' },
      })),
    });
    await untilArchived(5);
    assert.equal(await server.stop(), 0);
    const [first, ...others] = listArchive(join(dataDir, 'archive'));
    assert.deepEqual(others, []);
    path = first?.path ?? '';
    header = await damage(1, 20);
    lines = await damage(2, -1);
    server = await startServer({ dataDir });
    caller = caller.at(server.url);
  });
  after(async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const file = () => join(dataDir, 'archive', path);

  async function untilArchived(shipments: number): Promise<void> {
    await waitUntil(
      async () => {
        const [first] = listArchive(join(dataDir, 'archive'));
        if (first === undefined) return 0;
        return (
          await Array.fromAsync(readArchiveFile(join(dataDir, 'archive', first.path)))
        ).filter(({ kind }) => kind === 'shipment').length;
      },
      (found) => found === shipments,
    );
  }

  /** Flips one bit of a shipment, at this offset from its start or end; returns its damaged state. */
  async function damage(place: number, offset: number): Promise<Buffer> {
    const part = (await Array.fromAsync(readArchiveFile(file())))[place];
    assert.ok(part !== undefined);
    const bytes = readFileSync(file());
    const frame = bytes.subarray(part.from, part.endsAt);
    const at = offset < 0 ? frame.length + offset : offset;
    frame[at] = (frame[at] ?? 0) ^ 1;
    writeFileSync(file(), bytes);
    return frame;
  }

  async function readArchived(): Promise<string[]> {
    const found: string[] = [];
    for await (const part of readArchiveFile(file())) {
      const text = part.kind === 'shipment' ? await part.readLines().catch(() => '') : '';
      found.push(...[...String(text).matchAll(/"(anna|ben|carl)"/g)].map(([, name]) => `${name}`));
    }
    return found;
  }

  async function erase(visitor: string): Promise<Receipt['erasure']> {
    const args = ['visitor', 'delete', visitor, '--site', 'example.com'];
    return (await runCli<Receipt>(args, dataDir)).erasure;
  }

  it('loses nobody else’s events to an erasure, which is done and names the file', async () => {
    const { state, counts } = await erase('anna');
    assert.equal(state, 'done');
    assert.deepEqual(
      [counts.events, counts.archived_events, counts.unread_archive_bytes],
      [3, 2, header.length + lines.length],
    );
    assert.deepEqual(await readArchived(), ['carl', 'carl']);
    const kept = readFileSync(file());
    assert.ok(kept.includes(header) && kept.includes(lines), 'damaged bytes stay');
    const told = server
      .said()
      .split('\n')
      .filter((line) => line.includes(path));
    assert.equal(told.length, 2, server.said());
    assert.match(told[1] ?? '', new RegExp(`"bytes":${lines.length},.*checksum`));
  });

  it('does not hold up other erasures', async () => {
    const [{ state, counts }, ofBen] = await Promise.all([erase('carl'), erase('ben')]);
    assert.deepEqual([state, counts.archived_events], ['done', 2]);
    assert.equal(ofBen.state, 'done');
  });

  it('is reported by a rebuild, which takes all that is sound', async () => {
    await caller.pageview('dora', '/');
    await waitUntil(
      () => verifyData(dataDir, { skipArchive: true }),
      ({ verified }) => verified,
    );
    assert.equal(await server.stop(), 0);
    const { stdout: json } = await run('rebuild', '--json');
    const rebuilt = JSON.parse(json) as Rebuilt;
    assert.equal(rebuilt.events, 1);
    const damaged = rebuilt.differences.find(({ what }) => what.startsWith('damaged places'));
    const bytes = header.length + lines.length;
    assert.equal(damaged?.what, `damaged places in the archive’s ${path} (${bytes} bytes)`);
    assert.equal(damaged.found, '2');
  });

  it('is told of by an erasure without a running server, too', async () => {
    const { stdout, stderr } = await run('visitor', 'delete', 'dora', '--site', 'example.com');
    assert.match(stdout, /unread_archive_bytes +\d+\n(.*\n)*Damaged archive bytes/);
    assert.ok(stderr.includes(path), stderr);
  });

  function run(...args: string[]): Promise<{ stdout: string; stderr: string }> {
    const env = { ...process.env, DATA_DIR: dataDir };
    return new Promise((resolve) => {
      execFile(process.execPath, [MAIN, ...args], { env }, (_, stdout, stderr) =>
        resolve({ stdout, stderr }),
      );
    });
  }
});
