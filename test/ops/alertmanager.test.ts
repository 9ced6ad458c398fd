import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { inRoot } from '../../scripts/stack/root.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pressroom-alertmanager-'));
  writeFileSync(join(folder, 'alertmanager'), '#!/bin/sh\necho "$@"\n');
  chmodSync(join(folder, 'alertmanager'), 0o755);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs ops/alertmanager/start.sh, with a program in place of Alertmanager. @returns the configuration that it writes */
function configure(variables: Record<string, string>): unknown {
  const CONFIG_FILE = join(folder, 'alertmanager.yml');
  const PATH = [folder, process.env.PATH].join(delimiter);
  const output = execFileSync('sh', [inRoot('ops/alertmanager/start.sh')], {
    env: { PUBLIC_URL: 'https://pressroom.example.com', ...variables, CONFIG_FILE, PATH },
    stdio: 'pipe',
    encoding: 'utf8',
  });
  expect(output).toContain(`--config.file=${CONFIG_FILE}`);
  expect(output).toContain('--web.external-url=https://pressroom.example.com');
  // It has the password of the mail server.
  expect(statSync(CONFIG_FILE).mode & 0o077).toBe(0);
  return parse(readFileSync(CONFIG_FILE, 'utf8'));
}

const SMTP_FROM = 'Pressroom <no-reply@example.com>';

it('sends to nobody without variables', () => {
  expect(configure({})).toMatchObject({
    route: {
      receiver: 'operators',
      repeat_interval: '4h',
      routes: [{ matchers: ['alertname="Watchdog"'], receiver: 'nobody' }],
    },
    receivers: [{ name: 'nobody' }, { name: 'operators' }],
  });
});

it('sends by mail and webhook', () => {
  const config = configure({
    ALERT_MAIL: 'ops@example.com,ada@example.com',
    ALERT_WEBHOOK_URL: "https://hooks.example.com/a?b='c'&d=%20",
    SMTP_URL: 'smtps://ada%40example.com:it%27s%25%5Cn%24x%C3%A9@mail.example.com:465/?pool=true',
    SMTP_FROM,
  });
  expect(config).toMatchObject({
    global: {
      smtp_smarthost: 'mail.example.com:465',
      smtp_from: SMTP_FROM,
      smtp_auth_username: 'ada@example.com',
      smtp_auth_password: "it's%\\n$xé",
    },
    receivers: [
      { name: 'nobody' },
      {
        name: 'operators',
        email_configs: [{ to: 'ops@example.com,ada@example.com', send_resolved: true }],
        webhook_configs: [{ url: "https://hooks.example.com/a?b='c'&d=%20", send_resolved: true }],
      },
    ],
  });
});

it('names no host of a container in mails', () => {
  const config = configure({ ALERT_MAIL: 'a@b.c', SMTP_URL: 'smtp://mail.example.com', SMTP_FROM });
  const { html, text } = (
    config as { receivers: [object, { email_configs: [{ html: string; text: string }] }] }
  ).receivers[1].email_configs[0];
  expect(html).toBe('');
  expect(text).toMatch(/^{{ .ExternalURL }}\n/);
  expect(text).not.toMatch(/GeneratorURL|template/);
});

it('uses the ports of mail servers, and no TLS on this machine alone', () => {
  const globalOf = (SMTP_URL: string) => configure({ ALERT_MAIL: 'a@b.c', SMTP_URL, SMTP_FROM });
  expect(globalOf('smtps://mail.example.com')).toMatchObject({
    global: { smtp_smarthost: 'mail.example.com:465' },
  });
  expect(globalOf('smtp://mail.example.com')).toMatchObject({
    global: { smtp_smarthost: 'mail.example.com:587' },
  });
  expect(globalOf('smtp://mail.example.com')).not.toHaveProperty('global.smtp_require_tls');
  const relay = { ALERT_MAIL: 'a@b.c', SMTP_URL: 'smtp://mail:25', SMTP_FROM, ALERT_MAIL_TLS: 'false' };
  expect(configure(relay)).toMatchObject({ global: { smtp_require_tls: false } });
  expect(globalOf('smtp://127.0.0.1:25')).toMatchObject({ global: { smtp_require_tls: false } });
});

it('does not start with an unknown ALERT_MAIL_TLS', () => {
  expect(() => configure({ ALERT_MAIL_TLS: 'no' })).toThrow(/ALERT_MAIL_TLS must be true or false/);
});

it('does not start with mail and no mail server', () => {
  expect(() => configure({ ALERT_MAIL: 'a@b.c' })).toThrow(/SMTP_URL.*must be set with ALERT_MAIL/);
});
