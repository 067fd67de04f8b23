import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS } from '#domain/time/durations.ts';
import { createCertificates } from '#providers/certificates.ts';
import { findPayPalCertificateUrl } from '#providers/paypal/verify.ts';
import { makeCertificate } from './make-certificate.ts';
import { NOW, PAYPAL_URL, sign, signAsPayPal, TELLERS, verify } from './tellers.ts';

describe('PayPal’s certificate', () => {
  const teller = TELLERS.find(({ provider }) => provider.name === 'paypal');
  assert.ok(teller);
  const body = teller.provider.makeSample('tributary_test_1', NOW, {});
  const refusalWith = (name: string, from: number, to: number) => {
    const made = makeCertificate(name, new Date(from), new Date(to));
    const other = { ...teller, sign: signAsPayPal(made.key), certificate: made.certificate };
    return verify(other, sign(other, body));
  };

  it('is believed while it is valid, if it is PayPal’s', () => {
    const own = 'messageverificationcerts.paypal.com';
    assert.equal(refusalWith(own, NOW - DAY_MS, NOW + DAY_MS), undefined);
    assert.equal(refusalWith(own, NOW - 2 * DAY_MS, NOW - DAY_MS), 'forged');
    assert.equal(refusalWith(own, NOW + DAY_MS, NOW + 2 * DAY_MS), 'forged');
    const sandbox = 'messageverificationcerts.sandbox.paypal.com';
    assert.equal(refusalWith(sandbox, NOW - DAY_MS, NOW + DAY_MS), undefined);
    assert.equal(refusalWith('www.paypal.com', NOW - DAY_MS, NOW + DAY_MS), 'forged');
    assert.equal(refusalWith(`${own}.example`, NOW - DAY_MS, NOW + DAY_MS), 'forged');
    assert.equal(refusalWith(`x.example/CN=${own}`, NOW - DAY_MS, NOW + DAY_MS), 'forged');
  });

  it('is not that of somebody else', () => {
    const own = 'messageverificationcerts.paypal.com';
    const other = makeCertificate(own, new Date(NOW - DAY_MS), new Date(NOW + DAY_MS));
    const delivery = sign(teller, body);
    assert.equal(verify(teller, delivery), undefined);
    assert.equal(verify({ ...teller, certificate: other.certificate }, delivery), 'forged');
    assert.equal(verify({ ...teller, certificate: 'nonsense' }, delivery), 'forged');
    const { certificate: _, ...without } = teller;
    assert.equal(verify(without, delivery), 'forged');
  });

  const urls: readonly [string, boolean][] = [
    [PAYPAL_URL, true],
    ['https://api.sandbox.paypal.com/v1/notifications/certs/CERT-1', true],
    ['http://api.paypal.com/v1/notifications/certs/CERT-1', false],
    ['https://api.paypal.com.example/v1/notifications/certs/CERT-1', false],
    ['https://evilpaypal.com/v1/notifications/certs/CERT-1', false],
    ['https://api.paypal.com:8443/v1/notifications/certs/CERT-1', false],
    ['https://a@api.paypal.com/v1/notifications/certs/CERT-1', false],
    ['https://api.paypal.com/v1/notifications/certs/../../../open?to=x', false],
    ['https://www.paypal.com/open', false],
    ['https://127.0.0.1/v1/notifications/certs/CERT-1', false],
    ['', false],
  ];
  for (const [url, isOwn] of urls) {
    it(`is ${isOwn ? '' : 'not '}looked for at ${url || 'no address'}`, () => {
      const headers = { 'paypal-cert-url': url };
      const found = findPayPalCertificateUrl({ headers, body: Buffer.of(), receivedAt: NOW });
      assert.equal(found, isOwn ? url : undefined);
    });
  }
});

describe('certificates', () => {
  it('are downloaded once, also for deliveries that come together', async () => {
    const asked: string[] = [];
    const download = async (url: string) => {
      asked.push(url);
      return `certificate of ${url}`;
    };
    const certificates = createCertificates(download, () => NOW);
    const found = await Promise.all(['a', 'a', 'b'].map((url) => certificates.find(url)));
    assert.deepEqual(found, ['certificate of a', 'certificate of a', 'certificate of b']);
    await certificates.find('a');
    assert.deepEqual(asked, ['a', 'b']);
  });

  it('are asked for again a minute after a download failed', async () => {
    let now = NOW;
    let downloads = 0;
    const download = async () => {
      downloads += 1;
      if (downloads === 1) throw new Error('no route');
      return 'certificate';
    };
    const certificates = createCertificates(download, () => now);
    assert.equal(await certificates.find('a'), undefined);
    now += 59_000;
    assert.equal(await certificates.find('a'), undefined);
    assert.equal(downloads, 1);
    now += 2_000;
    assert.equal(await certificates.find('a'), 'certificate');
  });

  it('are asked for at most ten times a minute, whatever forged deliveries name', async () => {
    let now = NOW;
    let downloads = 0;
    const download = async () => {
      downloads += 1;
      throw new Error('not found');
    };
    const certificates = createCertificates(download, () => now);
    for (let index = 0; index < 1_000; index++) await certificates.find(`forged ${index}`);
    assert.equal(downloads, 10);
    now += 61_000;
    await certificates.find('real');
    assert.equal(downloads, 11);
  });
});
