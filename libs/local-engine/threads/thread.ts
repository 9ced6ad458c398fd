import { constants, getPriority, setPriority } from 'node:os';
import { threadId, type MessagePort } from 'node:worker_threads';
import { catchFailure } from './task-failure.js';

// The entry of each thread of a pool: it loads a task's module and calls the task.

/** A task, and the port for its start, progress and questions. */
export interface TaskCall {
  file: string;
  name: string;
  input: object;
  port: MessagePort;
}

export type TaskMessage = { startedOn: number } | { progress: unknown } | { id: number; question: unknown };

/** The answer to a question; without a value, answering failed. */
export type Answer = { id: number; value?: unknown };

// On Linux this sets the priority of this thread only: event loops have priority over computation.
const { PRIORITY_BELOW_NORMAL } = constants.priority;
if (process.platform === 'linux' && getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL);

/** The result of a task, or its AppError or EngineError as a value. */
export async function run({ file, name, input, port }: TaskCall): Promise<unknown> {
  const post = (message: TaskMessage) => port.postMessage(message);
  return catchFailure(async (): Promise<unknown> => {
    const tasks = (await import(file)) as Record<string, (input: object) => unknown>;
    post({ startedOn: threadId });
    const task = tasks[name];
    if (!task) throw new Error(`There is no task ${name} in ${file}.`);
    const ask = answersFrom(port, post);
    return task({ ...input, port: { postMessage: (progress: unknown) => post({ progress }), ask } });
  });
}

/** Asks over a port and waits for the answer. */
function answersFrom(port: MessagePort, post: (message: TaskMessage) => void) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  return (question: unknown): Promise<unknown> => {
    if (last === 0) {
      port.on('message', (answer: Answer) => {
        const asked = waiting.get(answer.id);
        waiting.delete(answer.id);
        if ('value' in answer) asked?.resolve(answer.value);
        else asked?.reject(new Error('The question of the task was not answered.'));
      });
    }
    const id = (last += 1);
    const asked = Promise.withResolvers<unknown>();
    waiting.set(id, asked);
    post({ id, question });
    return asked.promise;
  };
}
