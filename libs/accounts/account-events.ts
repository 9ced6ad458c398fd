/** Publishes to a user that their account changed. */
export abstract class AccountEvents {
  abstract accountChanged(userId: string): Promise<void>;
}
