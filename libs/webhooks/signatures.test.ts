import { expect, it } from '@jest/globals';
import { publicKeyText, secretText, signedHeaders } from './signatures.js';

/** The example of Standard Webhooks' reference implementation. */
const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64');
const message = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
};

/** The first test vector of RFC 8032, as PKCS #8. */
const signingKey = Buffer.from(
  '302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
  'hex',
);
const publicKey = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

it('signs as the reference implementation does', () => {
  const headers = signedHeaders(message, [{ secret, signingKey }]);
  expect(headers).toMatchObject({ 'webhook-id': message.id, 'webhook-timestamp': '1614265330' });
  expect(headers['webhook-signature']).toMatch(
    /^v1,g0hM9SsE\+OTPJTGt\/tmIKtSyZlE3uFJELVlNIOLJ1OE= v1a,[A-Za-z0-9+/]{86}==$/,
  );
});

it('writes its keys as the specification does', () => {
  expect(secretText({ secret })).toBe('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw');
  expect(publicKeyText({ signingKey })).toBe(`whpk_${Buffer.from(publicKey, 'hex').toString('base64')}`);
});
