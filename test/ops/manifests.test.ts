import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import {
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob, Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { PriorityClass } from 'kubernetes-models/scheduling.k8s.io/v1';
import { ConfigMap, Namespace, PersistentVolumeClaim, Secret, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '#libs/config/environment.js';
import { queueNames } from '#libs/contract/jobs.js';
import { inRoot } from '../../scripts/stack/root.ts';

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  data?: Record<string, string>;
  value?: number;
  stringData?: Record<string, string>;
  spec?: {
    groups?: object[];
    scaleTargetRef?: { name: string };
    triggers?: object[];
    template?: { metadata?: { labels: Record<string, string> }; spec: PodSpec };
  };
}

interface Kustomization {
  kind: string;
  resources?: string[];
  components?: string[];
  patches?: { target: { kind: string; name?: string }; patch: string }[];
  configMapGenerator?: { files?: string[] }[];
  images?: { name: string }[];
}

interface PodSpec {
  terminationGracePeriodSeconds?: number;
  priorityClassName?: string;
  containers: {
    args: string[];
    env?: { name: string; value: string }[];
    ports?: { name: string; containerPort: number }[];
    readinessProbe?: { httpGet: { path: string } };
    resources?: { limits: Record<string, string> };
  }[];
}

/** The annotations of a pod for Prometheus, as far as ops/prometheus-kubernetes.yml asks for it. */
interface Relabelling {
  source_labels: string[];
  regex: string;
  action?: string;
  replacement?: string;
}

/** Each kind's own schema, of Kubernetes 1.3x and KEDA. */
const models = {
  ConfigMap,
  CronJob,
  Deployment,
  HorizontalPodAutoscaler,
  Ingress,
  Job,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  PriorityClass,
  PrometheusRule,
  ScaledObject,
  Secret,
  Service,
  ServiceMonitor,
} as unknown as Record<
  string,
  { new (manifest: Manifest): { validate: () => void }; apiVersion: string; kind: string }
>;

const folder = inRoot('ops/kubernetes');
const files = globSync('**/*.yaml', { cwd: folder }).filter((file) => !file.endsWith('kustomization.yaml'));
const read = (file: string) => readFileSync(`${folder}/${file}`, 'utf8');
const manifests = files.flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => {
    expect(document.errors).toEqual([]);
    return { file, manifest: document.toJS() as Manifest };
  }),
);
const ofKind = (kind: string) =>
  manifests.filter(({ manifest }) => manifest.kind === kind).map((one) => one.manifest);
const one = (kind: string, name: string) => ofKind(kind).find(({ metadata }) => metadata.name === name)!;

const RANDOM = '7d3f0b9c5a1e8642f0c7b3d95e1a6480';

const readKustomization = (path: string) => parse(read(join(path, 'kustomization.yaml'))) as Kustomization;

/**
 * Builds a kustomization as far as these files need it, and throws where kustomize would: it refuses objects that are there
 * twice, patches without a target, and a base or component whose folder contains the one that names it.
 */
function buildKustomization(path: string, built: Manifest[] = [], openFolders: string[] = []): Manifest[] {
  if (openFolders.some((one) => `${one}/`.startsWith(`${path}/`)))
    throw new Error(`${path} contains ${openFolders.join(', ')}.`);
  const opened = [...openFolders, path];
  const of = readKustomization(path);
  let objects = [...built];
  for (const name of of.resources ?? []) {
    const found = join(path, name);
    const isFile = name.endsWith('.yaml');
    const added = isFile
      ? manifests.filter(({ file }) => file === found).map(({ manifest }) => manifest)
      : buildKustomization(found, [], opened);
    if (added.length === 0) throw new Error(`${found} has no objects.`);
    objects.push(...added);
  }
  for (const name of of.components ?? []) objects = buildKustomization(join(path, name), objects, opened);
  const ids = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(ids).toEqual([...new Set(ids)]);
  for (const { target, patch } of of.patches ?? []) {
    const targets = objects.filter(
      ({ kind, metadata }) => kind === target.kind && [undefined, metadata.name].includes(target.name),
    );
    if (targets.length === 0) throw new Error(`${path} patches no object.`);
    for (const { path: pointer } of parse(patch) as { path: string }[])
      for (const one of targets) expect(one).toHaveProperty(pointer.slice(1).split('/'));
  }
  for (const name of (of.configMapGenerator ?? []).flatMap(({ files: listed = [] }) => listed))
    if (!existsSync(join(folder, path, name))) throw new Error(`${join(path, name)} does not exist.`);
  for (const { name } of of.images ?? []) expect(JSON.stringify(objects)).toContain(`"image":"${name}"`);
  return objects;
}

describe('the manifests for Kubernetes', () => {
  it.each(
    manifests.map(({ file, manifest }) => ({
      file,
      kind: manifest.kind,
      name: manifest.metadata.name,
      manifest,
    })),
  )('$kind $name in $file is of its schema', ({ kind, manifest }) => {
    const Model = models[kind];
    if (!Model) throw new Error(`This test has no schema of ${kind}.`);
    // The constructor fills in an apiVersion and a kind that the manifest lacks.
    expect(manifest).toMatchObject({ apiVersion: Model.apiVersion, kind: Model.kind });
    const model = new Model(manifest);
    expect(() => model.validate()).not.toThrow();
  });

  it('are validated by schemas that refuse errors', () => {
    const wrong = { ...one('Deployment', 'pressroom-api'), spec: { template: { spec: { containers: [] } } } };
    expect(() => new models.Deployment!(wrong).validate()).toThrow();
  });

  it('are all in a kustomization, except those applied separately', () => {
    const listed = globSync(['base', 'components/*'], { cwd: folder }).flatMap((path) =>
      (readKustomization(path).resources ?? []).map((name) => join(path, name)),
    );
    expect([...listed, 'migrate-job.yaml', 'secret.example.yaml'].sort()).toEqual([...files].sort());
  });

  it.each(['base', ...globSync('overlays/*', { cwd: folder })])('%s builds', (path) => {
    expect(readKustomization(path).kind).toBe('Kustomization');
    buildKustomization(path);
  });

  it('of all components build together', () => {
    const components = globSync('components/*', { cwd: folder });
    for (const path of components) expect(readKustomization(path).kind).toBe('Component');
    const base = buildKustomization('base');
    components.reduce((built, path) => buildKustomization(path, built), base);
  });

  it('ask one Prometheus for each scaler, whose address an overlay replaces', () => {
    const { patches } = readKustomization('components/prometheus-operator');
    expect(patches!.map(({ target }) => target)).toEqual([{ kind: 'ScaledObject' }]);
    for (const { spec } of ofKind('ScaledObject')) expect(spec!.triggers).toHaveLength(1);
  });

  it('name their namespace where they are applied without the kustomization, which would add it', () => {
    const page = readFileSync(inRoot('docs/operations.md'), 'utf8');
    const applied = [...page.matchAll(/--filename ops\/kubernetes\/([\w/-]+\.yaml)/g)].map(
      ([, file]) => file!,
    );
    expect(applied.length).toBeGreaterThan(2);
    const loose = manifests.filter(({ file }) => [...applied, 'secret.example.yaml'].includes(file));
    const nowhere = loose.filter(
      ({ manifest }) => manifest.kind !== 'Namespace' && manifest.metadata.namespace !== 'pressroom',
    );
    expect(nowhere.map(({ file }) => file)).toEqual([]);
  });

  it('limit the disk of each container beside its scratch folder, and rank api before workers', () => {
    const limits = ofKind('Deployment').flatMap(({ spec }) => spec!.template!.spec.containers);
    for (const { resources } of limits) {
      expect(resources!.limits['ephemeral-storage']).toBe('1536Mi');
      expect(resources!.limits['memory']).toBeDefined();
    }
    const rank = (name: string) =>
      ofKind('PriorityClass').find(({ metadata }) => metadata.name === name)!.value!;
    expect(rank('pressroom-api')).toBeGreaterThan(rank('pressroom-worker'));
    const used = ofKind('Deployment').map(({ spec }) => spec!.template!.spec.priorityClassName);
    expect(used).toEqual(['pressroom-api', 'pressroom-worker', 'pressroom-worker', 'pressroom-worker']);
  });

  it('configure programs that start', () => {
    const settings = one('ConfigMap', 'pressroom-settings').data!;
    const secrets = one('Secret', 'pressroom-secrets').stringData!;
    const config = readConfig({
      ...settings,
      ...Object.fromEntries(
        Object.entries(secrets).map(([name, value]) => [name, value.replace('PASSWORD', RANDOM)]),
      ),
      AUTH_SECRET: RANDOM,
      HOST: '0.0.0.0',
    });
    expect(config).toMatchObject({ queue: { kind: 'redis' }, storage: { kind: 's3' } });
    for (const kind of ['Deployment', 'Job'])
      for (const { spec } of ofKind(kind)) {
        const grace = spec!.template!.spec.terminationGracePeriodSeconds ?? 30;
        expect(grace).toBeGreaterThan(config.shutdownSeconds);
      }
  });

  it('are scraped by Prometheus under the jobs that the alerts name', () => {
    const { scrape_configs } = parse(readFileSync(inRoot('ops/prometheus-kubernetes.yml'), 'utf8')) as {
      scrape_configs: { relabel_configs: Relabelling[]; kubernetes_sd_configs: object[] }[];
    };
    const [keep, name] = scrape_configs[0]!.relabel_configs;
    const matches = ({ source_labels, regex }: Relabelling, meta: Record<string, string>) =>
      new RegExp(`^(?:${regex})$`).exec(
        source_labels.map((label) => meta[label.replace('__meta_kubernetes_pod_', '')] ?? '').join(';'),
      );
    const asked = ofKind('Deployment').flatMap(({ spec }) =>
      spec!.template!.spec.containers.flatMap(({ ports = [] }) => {
        const { app = '', component = '' } = spec!.template!.metadata!.labels;
        return ports
          .map((port) => ({ label_app: app, label_component: component, container_port_name: port.name }))
          .filter((meta) => matches(keep!, meta))
          .map((meta) => matches(name!, meta)?.[1]);
      }),
    );
    expect(keep!.action).toBe('keep');
    expect(asked.sort()).toEqual(['api', 'worker', 'worker', 'worker']);
    expect(scrape_configs[0]!.kubernetes_sd_configs).toEqual([
      { role: 'pod', namespaces: { names: [one('Namespace', 'pressroom').metadata.name] } },
    ]);
  });

  it('give the operator of Prometheus the rules of ops/alerts.yml', () => {
    const [rule] = ofKind('PrometheusRule');
    const { groups } = parse(readFileSync(inRoot('ops/alerts.yml'), 'utf8')) as { groups: object[] };
    expect(rule!.spec!.groups).toEqual(groups);
    // kube-prometheus-stack selects both by this label.
    const release = { release: 'kube-prometheus-stack' };
    expect([rule, ...ofKind('ServiceMonitor')].map((found) => found!.metadata.labels)).toEqual([
      release,
      release,
    ]);
  });

  it('keep an api in service while Redis or a store is unavailable, as the proxy of compose does', () => {
    const { readinessProbe } = one('Deployment', 'pressroom-api').spec!.template!.spec.containers[0]!;
    const proxy = readFileSync(inRoot('ops/proxy/haproxy.cfg'), 'utf8');
    expect(proxy).toContain(`option httpchk GET ${readinessProbe!.httpGet.path}\n`);
  });

  it('have a worker of each queue, and a scaler for it', () => {
    const served = ofKind('Deployment').flatMap(({ metadata, spec }) =>
      spec!.template!.spec.containers.flatMap(({ env = [] }) =>
        env.filter(({ name }) => name === 'WORKER_QUEUES').map(({ value }) => [metadata.name, value]),
      ),
    );
    expect(served.map(([, queue]) => queue).sort()).toEqual([...queueNames].sort());
    const scaled = ofKind('ScaledObject').map(({ spec }) => spec!.scaleTargetRef!.name);
    expect(scaled.sort()).toEqual(served.map(([name]) => name).sort());
  });
});
