export abstract class AccountEvents {
  abstract accountChanged(userId: string): Promise<void>;
}
