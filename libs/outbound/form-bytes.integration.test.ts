import { expect, it } from '@jest/globals';
import { execa } from 'execa';
import { inRoot } from '../../scripts/stack/root.ts';

/** Aborts requests with a form of 2 MB after 0 to 11 turns of the event loop. */
const script = `
import { createServer } from 'node:http';
import { once } from 'node:events';
import { withFormAsBytes } from './libs/outbound/form-bytes.ts';

const server = createServer((request, response) => request.resume().on('end', () => response.end()));
await once(server.listen(0, '127.0.0.1'), 'listening');
const form = new FormData();
for (const name of ['image', 'mask']) form.set(name, new Blob([new Uint8Array(1_000_000)]));
for (let turns = 0; turns < 12; turns += 1) {
  const controller = new AbortController();
  let left = turns;
  const turn = () => (left-- > 0 ? setImmediate(turn) : controller.abort());
  turn();
  const init = await withFormAsBytes({ method: 'POST', body: form, signal: controller.signal });
  await fetch('http://127.0.0.1:' + server.address().port, init).then((answer) => answer.text(), () => undefined);
}
server.closeAllConnections();
server.close();
console.log('sent');
`;

it('lets requests with forms be aborted at any time', async () => {
  const { exitCode, stdout, stderr } = await execa(process.execPath, ['--input-type=module'], {
    cwd: inRoot(),
    input: script,
    reject: false,
  });
  expect([exitCode, stdout, stderr]).toEqual([0, 'sent', '']);
});
