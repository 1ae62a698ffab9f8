import type { Attack } from './attack.ts';
import { accountAttacks } from './attacks/accounts.ts';
import { costAttacks } from './attacks/cost.ts';
import { imageAttacks } from './attacks/images.ts';
import { ownershipAttacks } from './attacks/ownership.ts';
import { requestAttacks } from './attacks/requests.ts';

export const attacks: readonly Attack[] = [
  ...ownershipAttacks,
  ...accountAttacks,
  ...costAttacks,
  ...imageAttacks,
  ...requestAttacks,
];
