import { pathToFileURL } from 'node:url';
import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import type { QueueName } from '../../libs/contract/jobs.ts';
import { readYaml } from '../stack/read-yaml.ts';
import { inRoot } from '../stack/root.ts';

/** A worker as its manifest runs it. */
interface WorkerManifest {
  /** Its environment variables. */
  variables: Record<string, string>;
  /** Memory limit in MB. */
  limitMb: number;
}

const composeSchema = z.object({
  services: z.object({
    worker: z.object({
      deploy: z.object({ resources: z.object({ limits: z.object({ memory: z.string() }) }) }),
    }),
  }),
});

const deploymentSchema = z.object({
  spec: z.object({
    template: z.object({
      spec: z.object({
        containers: z.tuple([
          z.object({
            env: z.array(z.object({ name: z.string(), value: z.string() })),
            resources: z.object({ limits: z.object({ memory: z.string() }) }),
          }),
        ]),
      }),
    }),
  }),
});

/** The worker for all queues, of docker-compose.yml. */
export function readComposeWorker(): WorkerManifest {
  const { services } = readYaml(pathToFileURL(inRoot('docker-compose.yml')), composeSchema);
  return { variables: {}, limitMb: toMegabytes(services.worker.deploy.resources.limits.memory) };
}

/** The worker of one queue, of ops/kubernetes/base/workers.yaml. */
export function readKubernetesWorker(queue: QueueName): WorkerManifest {
  const documents = parseAllDocuments(readFileSync(inRoot('ops/kubernetes/base/workers.yaml'), 'utf8'));
  for (const document of documents) {
    const found = deploymentSchema.safeParse(document.toJS());
    if (!found.success) continue;
    const [{ env, resources }] = found.data.spec.template.spec.containers;
    const variables = Object.fromEntries(env.map(({ name, value }) => [name, value]));
    if (variables.WORKER_QUEUES === queue)
      return { variables, limitMb: toMegabytes(resources.limits.memory) };
  }
  throw new Error(`No manifest has a worker of the queue ${queue}.`);
}

/** @param size such as `2g` or `512Mi` */
function toMegabytes(size: string): number {
  const [, number, unit] = /^(\d+)(g|Gi|m|Mi)$/.exec(size)!;
  return Number(number) * (unit!.toLowerCase().startsWith('g') ? 1024 : 1);
}

/** Resident memory of a process and of all processes that it started, in MB. Zero without /proc. */
export function residentMemoryOf(pid: number): number {
  const own = Number(/^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
  return childrenOf(pid).reduce((sum, child) => sum + residentMemoryOf(child), own);
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}

/** Empty if the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
