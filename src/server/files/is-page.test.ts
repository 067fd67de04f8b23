import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isPage } from './is-page.ts';

const asked = (url: string, accept: string | undefined = '*/*', method = 'GET') =>
  isPage({ method, url, headers: accept === '' ? {} : { accept } });

describe('the page of the dashboard', () => {
  for (const path of [
    ...['/shop.example', '/shop.example/payments', '/shop.example/payments/tx_1?period=7d'],
    ...['/shop.co.uk/settings/health', '/sign-in', '/start', '/share/abc/embed', '/unsubscribe/t'],
  ]) {
    it(`answers programs that accept anything at ${path}`, () => {
      assert.ok(asked(path));
      assert.ok(asked(path, ''), 'without an Accept');
      assert.ok(asked(path, '*/*', 'HEAD'));
      assert.ok(!asked(path, 'application/json'));
      assert.ok(!asked(path, '*/*', 'POST'));
    });
  }

  for (const path of [
    ...['/api/v1/nothing', '/api', '/js/other.js', '/assets/old-1234.js', '/healthzz', '/nothing'],
    ...['/robots.txt', '/favicon.ico', '/wp-login.php', '/.env', '/.well-known/x', '/a/b.example'],
    ...['/shop.example/robots.txt', '/shop.example.json'],
  ]) {
    it(`is none for programs at ${path}`, () => assert.ok(!asked(path)));
  }

  it('answers a browser anywhere but below the API and files', () => {
    assert.ok(asked('/nothing', 'text/html,*/*'));
    assert.ok(!asked('/api/v1/nothing', 'text/html,*/*'));
    assert.ok(!asked('/assets/old-1234.js', 'text/html,*/*'));
  });
});
