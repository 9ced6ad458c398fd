import { AccountEvents } from '#libs/accounts/account-events.js';
import { defaultPrices, type Prices } from '#libs/config/prices.js';
import type { Account } from '#libs/contract/account.js';
import type { Database } from '#libs/database/sql.js';
import { publishSafely, type LiveEvents } from '#libs/events/live-events.js';
import { readAccount } from './account.js';
import type { StorageQuota } from './storage-quota.js';

export class LiveAccountEvents extends AccountEvents {
  constructor(
    private readonly database: Database,
    private readonly live: Pick<LiveEvents, 'publish' | 'publishToUser'>,
    private readonly quota: StorageQuota,
    private readonly onError: (error: Error) => void,
    private readonly prices: Prices = defaultPrices,
  ) {
    super();
  }

  async accountChanged(userId: string): Promise<void> {
    await publishSafely(this.onError, async () => {
      const account = await readAccount(this.database, userId, this.quota, this.prices);
      if (account) this.publishAccount(userId, account);
    });
  }

  publishAccount(userId: string, account: Account): void {
    this.live.publishToUser(userId, 'account', account);
  }

  sessionEnded({ id, userId }: { id: string; userId: string }, isRevoked: boolean): void {
    this.live.publish('session:ended', id);
    if (isRevoked) this.live.publishToUser(userId, 'token:expiring', { seconds: 0 });
  }
}
