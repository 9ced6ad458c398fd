import type { Config } from '#libs/config/environment.js';
import type { Database } from './database.ts';
import type { DataFolder } from './data-folder.ts';
import { elapsed, print, styled } from './terminal.ts';

/** Prints the address, the services in use, the data folder, and how to stop. */
export function printBanner(address: string, config: Config, database: Database, folder: DataFolder) {
  const rows = {
    database: database.home
      ? `embedded PostgreSQL, data in ${database.home}`
      : `PostgreSQL at ${withoutSecrets(config.databaseUrl)} (DATABASE_URL)`,
    'queue, events': queue(config),
    'object store': storage(config),
    'AI engine': engine(config),
    models: models(config),
    accounts: accounts(config),
    'data and logs': folder.path,
  };
  print();
  print(`Pressroom is ready in ${elapsed()}: ${styled(['bold', 'green'], address)}`);
  print();
  for (const [name, value] of Object.entries(rows)) print(`  ${styled('dim', name.padEnd(15))}${value}`);
  print();
  print('Ctrl-C stops all of it; the data stays.');
}

function accounts({ accounts, mail, planSwitch, stripe }: Config): string {
  if (accounts.kind === 'clerk') {
    const keys = accounts.jwtKey === null ? '; its keys are fetched' : '';
    const webhooks = accounts.webhookSecret === null ? '; no webhooks (CLERK_WEBHOOK_SIGNING_SECRET)' : '';
    return `Clerk at ${withoutSecrets(accounts.frontendApi)} (CLERK_PUBLISHABLE_KEY)${keys}${webhooks}`;
  }
  const byMail = mail ? `; mail by ${withoutSecrets(mail.url)} (SMTP_URL)` : '';
  const plans = planSwitch ? '; users may switch their plan (PLAN_SWITCH=self)' : '';
  const payment = stripe ? '; premium plan by Stripe (STRIPE_SECRET_KEY)' : '';
  return `email and password${byMail}${plans}${payment}`;
}

function queue({ queue }: Config): string {
  switch (queue.kind) {
    case 'postgres':
      return 'in the database';
    case 'redis':
      return `Redis at ${withoutSecrets(queue.url)} (REDIS_URL)`;
    case 'redis-cluster':
      return `Redis Cluster at ${queue.nodes.map(({ host, port }) => `${host}:${port}`).join(', ')} (REDIS_CLUSTER_NODES)`;
  }
}

function engine({ ai, engines }: Config): string {
  if (!ai) return 'this server alone; set OPENAI_API_KEY to connect a service';
  const service = ({ baseUrl, textModel }: typeof ai.main) =>
    `${baseUrl ? withoutSecrets(baseUrl) : 'OpenAI'}, model ${textModel}`;
  const main = `${service(ai.main)} (OPENAI_API_KEY)`;
  const all = ai.fallback ? `${main}; else ${service(ai.fallback)} (AI_FALLBACK_API_KEY)` : main;
  const here = Object.entries(engines).flatMap(([tool, name]) => (name === 'offline' ? [tool] : []));
  return here.length > 0 ? `${all}; on this server: ${here.join(', ')} (ENGINE_…)` : all;
}

function models({ models: { directory, off } }: Config): string {
  return `${directory}; missing models are fetched in the background${off.length > 0 ? `, without ${off.join(', ')} (MODELS_OFF)` : ''}`;
}

function storage({ storage }: Config): string {
  switch (storage.kind) {
    case 'files':
      return `files in ${storage.directory}`;
    case 's3':
      return `bucket ${storage.bucket} at ${withoutSecrets(storage.endpoint)} (S3_ENDPOINT)`;
  }
}

/** An address without user, password and query. */
function withoutSecrets(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname.replace(/\/$/, '')}`;
}
