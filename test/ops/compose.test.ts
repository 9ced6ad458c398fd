import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '#libs/config/environment.js';
import { engineVariables } from '#libs/config/engines.js';
import { variables } from '#libs/config/variables.js';
import { queueNames } from '#libs/contract/jobs.js';
import { inRoot } from '../../scripts/stack/root.ts';

interface Service {
  ports?: string[];
  profiles?: string[];
  environment?: Record<string, string | null>;
  stop_grace_period?: string;
  volumes?: string[];
  command?: string[];
  entrypoint?: string[];
  deploy?: { resources?: { limits?: { memory?: string } } };
}

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: { template: { spec: { containers: { resources: { limits: { memory: string } } }[] } } };
}

const compose = parse(readFileSync(inRoot('docker-compose.yml'), 'utf8'), { merge: true }) as {
  services: Record<string, Service>;
};
const example = readFileSync(inRoot('.env.example'), 'utf8');

/** A value as compose fills it in when .env has what .env.example requires. */
const filledIn = (value: string) =>
  value.replace(/\$\{\w+:([?-])((?:[^{}]|\$\{[^}]*\})*)\}/g, (_, kind: string, text: string) =>
    kind === '-' ? text : '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
  );

describe('docker-compose.yml', () => {
  const environment = compose.services.api!.environment!;

  it('passes every variable of the configuration on', () => {
    // The image holds the models.
    const chosen = /^MODELS_DIR$/;
    const missing = [...Object.keys(variables.shape), ...engineVariables].filter(
      (name) => !(name in environment) && !chosen.test(name),
    );
    expect(missing).toEqual([]);
  });

  it('keeps the log of every program that has the volume for logs', () => {
    const programs = Object.values(compose.services).filter(({ volumes }) => volumes?.includes('logs:/logs'));
    const starts = programs.map(({ command, entrypoint }) => (entrypoint ?? command)?.[0]);
    expect([...new Set(starts)]).toEqual(['log-to-files']);
  });

  it('configures programs that start, and gives them the time that they have to stop', () => {
    const set = Object.entries(environment).flatMap(([name, value]) =>
      value === null ? [] : [[name, name === 'PUBLIC_URL' ? 'http://localhost:3000' : filledIn(value)]],
    );
    const config = readConfig({ ...Object.fromEntries(set), LOCAL_ACCOUNTS: 'true' } as Record<
      string,
      string
    >);
    expect(config).toMatchObject({ queue: { kind: 'redis' }, storage: { kind: 's3', bucket: 'pressroom' } });
    for (const name of ['api', 'worker', 'worker-text', 'worker-image', 'worker-pdf'])
      expect(parseInt(compose.services[name]!.stop_grace_period!)).toBeGreaterThan(config.shutdownSeconds);
  });

  it('explains every variable that it requires in .env.example', () => {
    const text = readFileSync(inRoot('docker-compose.yml'), 'utf8');
    const required = [...text.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name!);
    expect(required.length).toBeGreaterThan(3);
    for (const name of required) expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
    const named = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
    const known = named.filter(
      (name) => name in environment || text.includes(`\${${name}`) || name === 'COMPOSE_PROFILES',
    );
    expect(known).toEqual(named);
  });

  it('can use an external database in every program', () => {
    const { services } = parse(readFileSync(inRoot('ops/managed-database.yml'), 'utf8'), {
      merge: true,
      logLevel: 'error',
    }) as { services: Record<string, { environment?: object; depends_on?: object } | null> };
    const given = Object.entries(services).filter(
      ([name, service]) => service?.environment && name !== 'postgres-exporter',
    );
    const need = Object.entries(compose.services).filter(([, one]) => one.environment?.DATABASE_URL);
    expect(given.map(([name]) => name).sort()).toEqual(need.map(([name]) => name).sort());
    for (const [, service] of given) {
      expect(service!.environment).toHaveProperty('DATABASE_URL');
      expect(service!.depends_on).not.toHaveProperty('postgres');
    }
    // It precedes the parts of the address in docker-compose.yml.
    const { DATABASE_URL } = services.api!.environment as { DATABASE_URL: string };
    expect(services['postgres-exporter']!.environment).toEqual({ DATA_SOURCE_NAME: DATABASE_URL });
    // The parser keeps the tag `!reset` as text.
    expect(services).toHaveProperty('postgres', 'null');
  });

  it('limits the memory of every container, also of short-lived ones', () => {
    const unbounded = Object.entries(compose.services).filter(
      ([, { deploy }]) => !deploy?.resources?.limits?.memory,
    );
    expect(unbounded.map(([name]) => name)).toEqual([]);
  });

  it('gives the workers of each queue the memory that they have on Kubernetes', () => {
    const manifests = parseAllDocuments(readFileSync(inRoot('ops/kubernetes/base/workers.yaml'), 'utf8')).map(
      (document) => document.toJS() as Manifest,
    );
    for (const queue of queueNames) {
      const name = `worker-${queue}`;
      const deployment = manifests.find(
        ({ kind, metadata }) => kind === 'Deployment' && metadata.name === `pressroom-${name}`,
      );
      // 2Gi is 2g in compose.
      const { memory } = deployment!.spec.template.spec.containers[0]!.resources.limits;
      expect({ name, memory: compose.services[name]!.deploy!.resources!.limits!.memory }).toEqual({
        name,
        memory: memory.replace('i', '').toLowerCase(),
      });
    }
  });

  it('publishes one port', () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports);
    // Prometheus and Grafana are for the operator, on this machine only.
    for (const [, { ports, profiles }] of published)
      if (profiles?.includes('monitoring'))
        expect(ports!.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
    expect(published.filter(([, { profiles }]) => !profiles).map(([name]) => name)).toEqual(['proxy']);
  });
});
