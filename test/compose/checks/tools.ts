import assert from 'node:assert/strict';
import { User, type Watch } from '../user.ts';
import type { Report } from '../report.ts';
import { requests } from '../requests.ts';
import type { Stack } from '../stack.ts';
import { until } from '../../support/until.ts';
import { toolNames, tools, type ToolName } from '#libs/tools/catalogue.js';

/** Tools that this server runs although a service is connected. */
const ON_THE_SERVER: ToolName[] = ['remove-image-background', 'add-notebook-document', 'notes-to-text'];

/** One job of each tool, by a premium user, watched on a WebSocket and by polling. */
export async function checkTools(stack: Stack, report: Report): Promise<void> {
  let ada: User | undefined;
  const watches: Watch[] = [];

  await report.check(
    'a user signs up, gets the premium plan from the operator, and opens two sockets',
    async () => {
      ada = await User.signUp(stack);
      await stack.compose('exec', '-T', 'api', 'node', 'dist/scripts/cli.js', 'plan', ada.email, 'premium');
      const { plan } = await ada.get<{ plan: string }>('/api/user/account');
      assert.equal(plan, 'premium');
      watches.push(await ada.watch('websocket'), await ada.watch('polling'));
    },
  );
  if (!ada) return;

  const bodies = await requests(ada);
  for (const tool of toolNames) {
    await report.check(`${tool} runs and reaches both sockets`, () =>
      checkTool(ada!, watches, tool, bodies[tool], stack),
    );
  }

  await report.check('both apis and all workers took part', async () => {
    const apis = await stack.compose('logs', '--no-log-prefix', 'proxy');
    for (const server of ['api1', 'api2']) assert.match(apis, new RegExp(`"server":"${server}"`));
    const [[workers] = []] = await stack.sql('SELECT count(DISTINCT worker_id) FROM worker_slots');
    assert.ok(Number(workers) >= 3, `${workers} workers`);
  });
  watches.forEach((watch) => watch.close());
}

async function checkTool(
  ada: User,
  watches: Watch[],
  tool: ToolName,
  body: Parameters<User['submit']>[1],
  stack: Stack,
): Promise<void> {
  const { id } = await ada.submit(tool, body);
  const job = await ada.ended(id);
  assert.equal(job.status, 'succeeded', JSON.stringify(job.error));
  for (const watch of watches) {
    await until(
      `a socket to receive the end of ${tool}`,
      () => watch.jobs.get(id)?.revision === job.revision,
    );
    assert.equal(watch.jobs.get(id)?.status, 'succeeded');
    if (tool === 'generate-article')
      assert.equal(watch.texts.get(id)?.trim(), (job.result?.content as string).trim());
  }
  const { engine, model } = job.result ?? {};
  assert.equal(engine, ON_THE_SERVER.includes(tool) ? 'offline' : 'openai');
  // The images carry the models.
  if (tool === 'remove-image-background') assert.equal(model, 'U²-Net-p');
  const [[creations] = []] = await stack.sql(`SELECT count(*) FROM creations WHERE job_id = '${id}'`);
  assert.equal(creations, tools[tool].creation === null ? '0' : '1');
  if (tool.includes('image')) {
    const image = await fetch(job.result?.content as string);
    assert.equal(image.status, 200);
    assert.match(image.headers.get('content-type') ?? '', /^image\//);
  }
}
