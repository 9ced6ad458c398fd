import type { AiProvider } from '#libs/ai/engine.js';
import { readEngines } from '#libs/config/engines.js';
import { createDocuments } from '#libs/documents/create-documents.js';
import { PassageEmbedder } from '#libs/documents/passage-embedder.js';
import { reclaimStorage } from '#libs/creations/deleted-results.js';
import { AnswerCache } from '#libs/jobs/answer-cache.js';
import { JobRunner, type RunnerOptions } from '#libs/jobs/runner/job-runner.js';
import { NotebookDocuments } from '#libs/notebooks/notebook-documents.js';
import { NotebookNotes } from '#libs/notebooks/notebook-notes.js';
import { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { ProviderCalls } from '#libs/costs/provider-calls.js';
import { Notebooks } from '#libs/notebooks/notebooks.js';
import { handlers } from '#libs/tools/handlers.js';
import { testModels } from './models.ts';
import type { JobPlatform } from './job-platform.ts';

/** A runner of the platform's jobs, with every tool. It imports all of them: suites that run no job do without. */
export function createRunner(
  { dataSource, files, lifecycle, live, storageQuota, onClose, onError }: Omit<JobPlatform, 'queue'>,
  provider: AiProvider | null,
  options: Partial<RunnerOptions> = {},
): JobRunner {
  const documents = createDocuments(dataSource, files);
  const models = testModels();
  const calls = new ProviderCalls({ database: dataSource, prices: null, onError });
  const runner = new JobRunner({
    dataSource,
    handlers,
    lifecycle,
    live,
    engine: { provider, breakers: [] },
    toolEngines: readEngines({}, provider !== null),
    imageSupport: { known: new Set(), add: () => Promise.resolve() },
    publicationCheck: { check: () => Promise.resolve({ state: 'approved', isChecked: false }) },
    services: {
      files,
      documents,
      answers: new AnswerCache(dataSource),
      quota: storageQuota,
      reclaimStorage: reclaimStorage,
      models,
      notebooks: new Notebooks(dataSource),
      notebookDocuments: new NotebookDocuments(dataSource),
      notebookNotes: new NotebookNotes(dataSource),
      embedder: new PassageEmbedder({ models, vectors: documents.vectors }),
    },
    calls,
    budgets: new ProviderBudgets({ database: dataSource, budgets: {}, prices: null, providerTools: [] }),
    leaseSeconds: 2,
    attempts: 3,
    outageSeconds: 600,
    log: { started: () => undefined, ended: () => undefined, error: onError },
    ...options,
  });
  onClose(() => runner.close());
  return runner;
}
