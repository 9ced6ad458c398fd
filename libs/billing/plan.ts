import { accountDeleted } from '#libs/accounts/lock-user.js';
import type { ToolContract } from '#libs/contract/define-tool.js';
import { AppError } from '#libs/contract/errors.js';
import type { UserEntity } from '#libs/database/entities/users.js';

/** @throws AppError UNAUTHENTICATED if the account was deleted; PREMIUM_REQUIRED if the plan does not include the tool */
export function requirePlan(
  user: Pick<UserEntity, 'plan'> | null,
  tool: Pick<ToolContract, 'plan' | 'title'>,
): asserts user is UserEntity {
  if (!user) throw accountDeleted();
  if (tool.plan === 'premium' && user.plan !== 'premium') throw premiumRequired(tool);
}

export const premiumRequired = ({ title }: Pick<ToolContract, 'title'>) =>
  new AppError('PREMIUM_REQUIRED', `${title} is part of the premium plan.`);
