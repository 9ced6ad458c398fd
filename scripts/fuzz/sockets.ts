import fc, { type Arbitrary } from 'fast-check';
import { checkHeaders } from './checks.ts';
import { corpus } from './corpus.ts';
import type { Attack } from './raw-http.ts';
import { hostileValue } from './values.ts';
import { exchange, printable } from './wire.ts';

/** Milliseconds after which a socket counts as neither answering nor closed. */
const ANSWER_MS = 15_000;
const WEBSOCKET = '/socket.io/?EIO=4&transport=websocket';
const POLLING = '/socket.io/?EIO=4&transport=polling';
const UPGRADE = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';
const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n';

const handshake = (target: string, headers: string) =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;

/** @param payload at most 125 bytes. A client masks its frames; the mask here is zero. */
const frame = (first: number, payload: string, masked = true) =>
  Buffer.concat([
    Buffer.from([first, (masked ? 0x80 : 0) | payload.length]),
    Buffer.alloc(masked ? 4 : 0),
    Buffer.from(payload, 'latin1'),
  ]);

/** Frames after which a WebSocket server closes the connection. */
const brokenFrames = [
  frame(0x81, 'no mask', false),
  frame(0xc1, 'a reserved bit'),
  frame(0x83, 'a reserved opcode'),
  frame(0x80, 'a continuation of nothing'),
  frame(0x09, 'a fragmented ping'),
  frame(0x81, '\xff\xfe\xfd'),
  frame(0x88, '\x00\x01'),
  frame(0x88, '\x03'),
  Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
  Buffer.from([0x82, 0xff, 0x00, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
];

const brokenPackets: (string | Buffer)[] = [
  ...corpus.socketPackets,
  Buffer.from([0]),
  Buffer.alloc(70_000, 1),
];

/** Packets to send many times. */
const smallPackets = brokenPackets.filter(({ length }) => length < 100);

/** Attacks on the live connection. @param token a user's token, for sockets that the server accepts */
export function socketAttacks(token: string): Arbitrary<Attack> {
  const garbage = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...brokenPackets) },
    { weight: 2, arbitrary: hostileValue.map((value) => `42${JSON.stringify(['token', value])}`) },
    { weight: 1, arbitrary: hostileValue.map((value) => `420${JSON.stringify([value, value])}`) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
  );
  return fc.oneof(
    fc.constantFrom(...corpus.handshakes).map(refusal),
    fc.constantFrom(...brokenFrames).map(brokenFrame),
    fc.array(garbage, { minLength: 1, maxLength: 5 }).map((packets) => packetsOf(packets, token)),
    fc.array(garbage, { minLength: 1, maxLength: 5 }).map((packets) => packetsOf(packets, undefined)),
    fc.constantFrom(...smallPackets).map((packet) => packetsOf(Array(300).fill(packet) as string[], token)),
    fc.array(garbage, { minLength: 1, maxLength: 4 }).map(polled),
  );
}

const refusal = (request: string): Attack => ({
  name: 'a handshake that opens no socket',
  run: async (port) => {
    const { answers, end } = await exchange(port, [request]);
    const [answer] = answers;
    if (!answer) return { problems: [`no answer, ${end}`], sent: request };
    const isRefused = [400, 403, 404, 405, 426].includes(answer.status);
    return {
      problems: [...(isRefused ? [] : [`status ${answer.status}`]), ...checkHeaders(answer)],
      sent: request,
    };
  },
});

const brokenFrame = (bytes: Buffer): Attack => ({
  name: 'a broken frame',
  run: async (port) => {
    const opening = handshake(WEBSOCKET, UPGRADE + KEY);
    const { answers, end } = await exchange(port, [opening, bytes], ['GET', 'GET']);
    const problems = [
      ...(answers[0]?.status === 101 ? [] : [`status ${answers[0]?.status ?? 'none'} to the handshake`]),
      ...(end === 'closed' ? [] : ['the connection stays open']),
    ];
    return { problems, sent: `${opening}${printable(bytes)}` };
  },
});

/** Sends packets, then an event that the server acknowledges unless it closed the socket. */
const packetsOf = (packets: (string | Buffer)[], token: string | undefined): Attack => ({
  name: token ? 'packets of a user' : 'packets without a token',
  run: async (port) => {
    const sent = packets.map((packet) => printable(Buffer.from(packet), 300)).join('\n');
    const socket = new WebSocket(`ws://127.0.0.1:${port}${WEBSOCKET}`);
    socket.binaryType = 'arraybuffer';
    const { promise, resolve } = Promise.withResolvers<string>();
    const timer = setTimeout(() => resolve('neither answered nor closed'), ANSWER_MS);
    socket.addEventListener('close', () => resolve(''));
    socket.addEventListener('error', () => resolve(''));
    const attack = () => {
      for (const packet of packets) socket.send(packet);
      socket.send('427["token",null]');
      // Without a token the server acknowledges nothing: it waits for one, or closes.
      if (token === undefined) resolve('');
    };
    socket.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string') return;
      if (data.startsWith('0')) {
        if (token === undefined) attack();
        else socket.send(`40${JSON.stringify({ token })}`);
      }
      if (data.startsWith('40')) attack();
      if (data.startsWith('44{')) resolve(token ? `refused: ${data}` : '');
      if (data.startsWith('437')) resolve('');
      if (data === '2') socket.send('3');
    });
    const problem = await promise;
    clearTimeout(timer);
    socket.close();
    return { problems: problem ? [problem] : [], sent };
  },
});

const polled = (packets: (string | Buffer)[]): Attack => ({
  name: 'packets over HTTP polling',
  run: async (port) => {
    const [opened] = (await exchange(port, [handshake(POLLING, '')])).answers;
    const sid = /"sid":"([^"]+)"/.exec(opened?.body.toString() ?? '')?.[1];
    if (!opened || sid === undefined)
      return { problems: [`no session: ${opened?.status}`], sent: handshake(POLLING, '') };
    const body = Buffer.concat(packets.flatMap((packet) => [Buffer.from(packet), Buffer.from([0x1e])]));
    const head = `POST ${POLLING}&sid=${sid} HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n`;
    const { answers, end } = await exchange(port, [head, body]);
    const [answer] = answers;
    const problems = answer
      ? [
          ...([200, 400, 413].includes(answer.status) ? [] : [`status ${answer.status}`]),
          ...checkHeaders(answer),
        ]
      : [`no answer, ${end}`];
    return { problems, sent: head + printable(body, 500) };
  },
});
