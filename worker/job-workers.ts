import { BullRegistrar, Processor } from '@nestjs/bullmq';
import { Inject, Injectable, type BeforeApplicationShutdown, type Provider } from '@nestjs/common';
import type { Config } from '#libs/config/environment.js';
import { JobRunner } from '#libs/jobs/runner/job-runner.js';
import { workerOptions } from '#libs/queue/bullmq.js';
import { EntryProcessor, type Disposition } from '#libs/queue/entry-processor.js';

/** Seconds of the shutdown time reserved for closing connections after the jobs. */
const CLOSE_SECONDS = 5;
/** Seconds of the shutdown time reserved for returning unfinished jobs to the queue. */
const RETURN_SECONDS = 2;

@Injectable()
class JobProcessor extends EntryProcessor {
  constructor(@Inject(JobRunner) private readonly runner: JobRunner) {
    super();
  }

  protected override processEntry(jobId: string): Promise<Disposition> {
    return this.runner.run(jobId);
  }
}

/** Worker objects of this process: one per configured queue, with the configured concurrency. */
export class JobWorkers implements BeforeApplicationShutdown {
  constructor(
    private readonly registrar: BullRegistrar,
    private readonly runner: JobRunner,
    private readonly processors: JobProcessor[],
    private readonly finishSeconds: number,
  ) {}

  start(): void {
    this.registrar.register();
  }

  /** On shutdown, takes no more jobs and waits for running jobs. Jobs that take too long are returned to the queue. */
  async beforeApplicationShutdown(): Promise<void> {
    const returnJobs = setTimeout(() => this.runner.stopAll(), this.finishSeconds * 1_000);
    await Promise.all(this.processors.map(({ worker }) => worker.close()));
    clearTimeout(returnJobs);
    this.runner.close();
  }
}

export function jobWorkers({ worker, jobs, shutdownSeconds }: Config): Provider[] {
  const finishSeconds = Math.max(shutdownSeconds - RETURN_SECONDS - CLOSE_SECONDS, 0);
  const processors = worker.queues.map((queue) => {
    @Processor(
      queue,
      workerOptions({
        concurrency: worker.concurrency[queue],
        leaseSeconds: jobs.leaseSeconds,
        closeSeconds: finishSeconds + RETURN_SECONDS,
      }),
    )
    class QueueProcessor extends JobProcessor {}
    return QueueProcessor;
  });
  return [
    ...processors,
    {
      provide: JobWorkers,
      inject: [BullRegistrar, JobRunner, ...processors],
      useFactory: (registrar: BullRegistrar, runner: JobRunner, ...instances: JobProcessor[]) =>
        new JobWorkers(registrar, runner, instances, finishSeconds),
    },
  ];
}
