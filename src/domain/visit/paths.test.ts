import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { showPath, storePath } from './paths.ts';

describe('a path as people read it', () => {
  const cases = [
    ['has its letters, of any script', '/caf%C3%A9/%E6%97%A5%E6%9C%AC', '/café/日本'],
    ['has its spaces', '/my%20long%20page', '/my long page'],
    ['has no space where none is seen', '/a%20%20b%20', '/a%20 b%20'],
    ['keeps the signs of an address', '/a%2Fb%3Fc%23d%25e%5Cf', '/a%2Fb%3Fc%23d%25e%5Cf'],
    ['keeps what looks like them', '/a%E2%88%95b%EF%BC%8Fc', '/a%E2%88%95b%EF%BC%8Fc'],
    ['keeps control characters', '/a%00%0A%0D%7F', '/a%00%0A%0D%7F'],
    ['keeps what turns text around', '/%E2%80%AEgnp.exe', '/%E2%80%AEgnp.exe'],
    ['keeps what nobody sees', '/a%E2%80%8Bb%C2%ADc%E3%85%A4', '/a%E2%80%8Bb%C2%ADc%E3%85%A4'],
    ['keeps other blanks', '/a%C2%A0b%E2%A0%80', '/a%C2%A0b%E2%A0%80'],
    ['keeps what is no UTF-8', '/%FF%FE/%E9t%E9/%', '/%FF%FE/%E9t%E9/%'],
    ['keeps what a lone percent sign would take in', '/%C3%a%41', '/%C3%a%41'],
    ['is decoded once', '/%2541%25C3%25A9', '/%2541%25C3%25A9'],
  ] as const;
  for (const [rule, path, shown] of cases) {
    it(rule, () => assert.equal(showPath(path), shown));
  }

  it('is found by what people read', () => {
    assert.equal(storePath('/café/my page'), '/caf%C3%A9/my%20page');
    assert.equal(storePath('/caf%C3%A9/**'), '/caf%C3%A9/**');
  });

  it('never throws, and stands for the same address', () => {
    const parts = fc.constantFrom('/', 'a', '%', '%C3', '%A9', '%20', '%E2%80%AE', '%2F', '%41');
    fc.assert(
      fc.property(fc.array(parts), (drawn) => {
        const path = drawn.join('');
        const isWhole = (text: string) => {
          try {
            return decodeURIComponent(text);
          } catch {
            return undefined;
          }
        };
        assert.equal(isWhole(showPath(path)), isWhole(path));
      }),
    );
  });
});
