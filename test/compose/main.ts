/** `npm run test:compose`: builds the images, starts the stack, uses it, and injects faults. */
import { freePort } from '../../scripts/stack/ports.ts';
import { runCommand } from '../../scripts/stack/command.ts';
import { print } from '../../scripts/stack/terminal.ts';
import { startFakeProvider } from '../provider/server.ts';
import { MailServer } from '../support/mail-server.ts';
import { checkImages, checkRefusals, checkStack } from './checks/containers.ts';
import { checkRecovery } from './checks/recovery.ts';
import { checkOperations, OPERATOR_ADDRESS } from './checks/operations.ts';
import { checkTools } from './checks/tools.ts';
import { Report } from './report.ts';
import { requireDocker, Stack } from './stack.ts';

await runCommand(async ({ signal, cleanup }) => {
  await requireDocker();
  // The fake provider and the mail server run here; containers reach this machine by the name that docker-compose.yml gives it.
  const provider = await startFakeProvider({
    port: Number(process.env.COMPOSE_TEST_PROVIDER_PORT ?? 0),
    host: '0.0.0.0',
    defaults: { words: 120 },
  });
  cleanup.defer(() => provider.close());
  const mail = await MailServer.start('0.0.0.0');
  cleanup.defer(() => mail.stop());
  const port = Number(process.env.COMPOSE_TEST_PORT ?? (await freePort()));
  const stack = new Stack(
    port,
    {
      OPENAI_API_KEY: 'any',
      OPENAI_BASE_URL: `http://host.docker.internal:${new URL(provider.url).port}/v1`,
      WORKER_CONCURRENCY: '2',
      JOB_LEASE_SECONDS: '3',
      RATE_LIMIT_REQUESTS: '100000',
      ...mail.variables('host.docker.internal'),
      ALERT_MAIL: OPERATOR_ADDRESS,
    },
    signal,
    mail,
  );
  const report = new Report();
  cleanup.defer(() => stack.remove());

  for (const part of [checkImages, checkRefusals, checkStack, checkTools, checkRecovery, checkOperations]) {
    await part(stack, report);
    signal.throwIfAborted();
  }
  print();
  print(`${report.passed} passed, ${report.failed} failed`);
  return report.failed === 0 ? 0 : 1;
});
