import { constants, getPriority, setPriority } from 'node:os';
import { threadId, type MessagePort } from 'node:worker_threads';
import { catchFailure } from './task-failure.js';

// What each thread of a pool runs: it loads a task's module and calls the task.

/** A task, and where its thread says that it has begun and how far it is. */
export interface TaskCall {
  file: string;
  name: string;
  input: object;
  port: MessagePort;
}

export type TaskMessage = { startedOn: number } | { progress: unknown };

// On Linux this is the priority of the thread alone: event loops go before computation.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

/** The result of a task, or its AppError or EngineError as a value. */
export async function run({ file, name, input, port }: TaskCall): Promise<unknown> {
  const post = (message: TaskMessage) => port.postMessage(message);
  post({ startedOn: threadId });
  return catchFailure(async (): Promise<unknown> => {
    const tasks = (await import(file)) as Record<string, (input: object) => unknown>;
    const task = tasks[name];
    if (!task) throw new Error(`There is no task ${name} in ${file}.`);
    return task({ ...input, port: { postMessage: (progress: unknown) => post({ progress }) } });
  });
}
