import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A certificate, and the key that goes with it. */
export type Certified = { readonly certificate: string; readonly key: KeyObject };

/** A certificate for a name, signed by an authority of the test's own. */
export function makeCertificate(
  commonName: string,
  validFrom: Date,
  validTo: Date,
  authority: KeyObject = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
): Certified {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const toBeSigned = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    SHA256_WITH_RSA,
    nameOf('test authority'),
    sequence(timeOf(validFrom), timeOf(validTo)),
    nameOf(commonName),
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = sign('RSA-SHA256', toBeSigned, authority);
  const signed = der(0x03, Buffer.of(0), signature);
  const base64 = sequence(toBeSigned, SHA256_WITH_RSA, signed).toString('base64');
  const lines = base64.match(/.{1,64}/g)?.join('\n');
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey,
  };
}

/** A value of ASN.1 in its distinguished encoding: tag, length, contents. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

function sequence(...contents: readonly Buffer[]): Buffer {
  return der(0x30, ...contents);
}

/** 1.2.840.113549.1.1.11 */
const SHA256_WITH_RSA = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05));

/** With the common name only: 2.5.4.3. */
function nameOf(commonName: string): Buffer {
  const type = der(0x06, Buffer.from('550403', 'hex'));
  return sequence(der(0x31, sequence(type, der(0x0c, Buffer.from(commonName)))));
}

function timeOf(date: Date): Buffer {
  const digits = date.toISOString().replace(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}
