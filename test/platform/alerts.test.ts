import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInProcessProduct, type InProcessProduct } from '../support/in-process-product.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

allowTimeForPrograms();

let receiver: WebhookReceiver;
let product: InProcessProduct;
beforeAll(async () => {
  receiver = await new WebhookReceiver().start();
  product = await startInProcessProduct({ ALERT_WEBHOOK_URL: receiver.url });
});
afterAll(async () => {
  await product?.stop();
  await receiver.stop();
});

it('api and worker record that they are alive, and one of them sends alerts', async () => {
  const names = async () =>
    (await product.sql('SELECT name FROM heartbeats ORDER BY name')).map(({ name }) => name);
  await until('the first checks', async () => {
    const found = await names();
    return ['alerts', 'api', 'worker'].every((name) => found.includes(name));
  });
  await product.sql(`
    INSERT INTO paused_queues (queue) VALUES ('pdf');
    INSERT INTO alerts (key, name, labels, summary, starts_at)
      VALUES ('QueuePaused{queue="pdf"}', 'QueuePaused', '{"queue": "pdf"}', 'The queue pdf is paused.', now() - interval '40 minutes')`);
  const { event } = await until('an alert', () => receiver.received[0]);
  expect(event).toMatchObject({
    version: '4',
    alerts: expect.arrayContaining([
      expect.objectContaining({
        labels: { alertname: 'QueuePaused', severity: 'ticket', queue: 'pdf' },
        annotations: { summary: 'The queue pdf is paused.' },
      }),
    ]) as unknown,
  });
});
