import { until } from '../../test/support/until.ts';
import type { Call, ChaosUser } from './chaos-user.ts';
import type { Accepted } from './log.ts';
import type { World } from './world.ts';

/** Seconds within which a suspension must end: longer than any outage. */
const UNSUSPENDED_WITHIN = 60;

/** The operator of a round, who acts on the jobs and accounts of its users. Each act has a reason of its own. */
export class OperatorActor {
  readonly user: ChaosUser;
  private count = 0;

  private constructor(user: ChaosUser) {
    this.user = user;
  }

  /** Makes a user an operator with a second factor. */
  static async appoint(world: World, user: ChaosUser): Promise<OperatorActor> {
    const { id } = user.log;
    await world.query(`UPDATE users SET role = 'admin' WHERE id = '${id}' RETURNING id`);
    await world.query(`UPDATE auth_users SET "twoFactorEnabled" = true WHERE id = '${id}' RETURNING id`);
    return new OperatorActor(user);
  }

  async cancel(jobId: string, api: number): Promise<void> {
    await this.act('job.cancel', jobId, `/api/admin/jobs/${jobId}/cancel`, { api });
  }

  /** Retries a job as one or two operators at once. The new jobs are jobs of the user. */
  async retry({ jobId, tool, marker }: Accepted, user: ChaosUser, isTwice: boolean, api: number) {
    const path = `/api/admin/jobs/${jobId}/retry`;
    const answers = await Promise.all(
      (isTwice ? [0, 1] : [0]).map((i) => this.act('job.retry', jobId, path, { api: api + i })),
    );
    const ids = new Set(answers.flatMap(({ body }) => body.job?.id ?? []));
    for (const id of ids) user.log.accepted.push({ jobId: id, tool, marker, key: null, retryOf: jobId });
  }

  /** Suspends a user, ends the suspension, and signs the user in again. */
  async suspend(user: ChaosUser, api: number): Promise<void> {
    const { id } = user.log;
    const path = `/api/admin/users/${id}`;
    await this.act('user.suspend', id, `${path}/suspend`, { api });
    await until(
      'the end of the suspension',
      async () => (await this.act('user.unsuspend', id, `${path}/unsuspend`, { api })).status === 200,
      { seconds: UNSUSPENDED_WITHIN, every: 500 },
    );
    await user.signIn();
  }

  private async act(action: string, target: string, path: string, { api }: Pick<Call, 'api'>) {
    const reason = `${this.user.log.name} act ${(this.count += 1)}`;
    const answer = await this.user.call(path, { json: { reason }, api });
    this.user.log.acts.push({ action, target, reason, status: answer.status });
    return answer;
  }
}
