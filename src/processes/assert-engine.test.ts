import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertEngine } from './assert-engine.ts';

describe('the embedded engine', () => {
  const debian = {
    ...{ platform: 'linux', arch: 'x64', hasGlibc: true },
    isInstalled: (name: string) => name === '@chdb/lib-linux-x64-gnu',
  };

  it('is there where the tests run', () => assertEngine());

  it('runs on Linux with glibc', () => assertEngine(debian));

  it('runs on macOS, which has no glibc', () => {
    const isInstalled = (name: string) => name === '@chdb/lib-darwin-arm64';
    assertEngine({ platform: 'darwin', arch: 'arm64', hasGlibc: false, isInstalled });
  });

  const refused = [
    ['Linux without glibc', { hasGlibc: false }],
    ['linux on riscv64', { arch: 'riscv64' }],
    ['win32 on x64', { platform: 'win32', hasGlibc: false }],
  ] as const;
  for (const [name, facts] of refused) {
    it(`is refused in one line on ${name}`, () => {
      assert.throws(
        () => assertEngine({ ...debian, ...facts }),
        new RegExp(`^Error: The embedded engine does not run on ${name}: .*CLICKHOUSE_URL.*$`),
      );
    });
  }

  it('is named when npm left it out', () => {
    assert.throws(
      () => assertEngine({ ...debian, isInstalled: () => false }),
      /^Error: The embedded engine \(@chdb\/lib-linux-x64-gnu\) is not installed\. Install .*$/,
    );
  });
});
