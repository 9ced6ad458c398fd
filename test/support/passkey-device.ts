import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
const bytes = (value: Buffer) => Buffer.concat([Buffer.from([0x58, value.length]), value]);

/** A device that makes one passkey and signs in with it (WebAuthn level 2, without attestation). */
export class PasskeyDevice {
  /** User verification, by fingerprint, face or PIN. */
  isUserVerified = true;
  readonly id = randomBytes(16);
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;

  /** @param origin of the page that asks */
  constructor(private readonly origin: string) {
    ({ privateKey: this.privateKey, publicKey: this.publicKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
    }));
  }

  /** The registration response of a new passkey. */
  register(challenge: string) {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    const [xBytes, yBytes] = [x, y].map((one) => bytes(Buffer.from(one, 'base64url')));
    // A COSE key: type EC2, algorithm ES256, curve P-256, x, y.
    const key = Buffer.concat([
      Buffer.from('a5010203262001', 'hex'),
      Buffer.from([0x21]),
      xBytes!,
      Buffer.from([0x22]),
      yBytes!,
    ]);
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.id.length]), this.id, key]);
    const attestation = Buffer.concat([
      Buffer.from([0xa3]),
      ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])],
      ...[text('authData'), bytes(Buffer.concat([this.authData(HAS_KEY), credential]))],
    ]);
    return this.credential({
      clientDataJSON: this.clientData('webauthn.create', challenge).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
    });
  }

  /** The authentication response for a sign-in. */
  authenticate(challenge: string) {
    const clientData = this.clientData('webauthn.get', challenge);
    const authData = this.authData();
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.privateKey);
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  private credential(response: Record<string, string>) {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }));
  }

  private authData(more = 0): Buffer {
    const flags = USER_PRESENT | (this.isUserVerified ? USER_VERIFIED : 0) | more;
    // A counter of 0: it does not count, as with passkeys on several devices.
    return Buffer.concat([sha256(new URL(this.origin).hostname), Buffer.from([flags]), Buffer.alloc(4)]);
  }
}
