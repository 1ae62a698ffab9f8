import type { Deps as EmailDeps } from '../../email/deps.ts';
import type { Stamps } from './form-tokens.ts';
import type { RecentTexts } from './recent-texts.ts';

export interface Deps extends EmailDeps {
  stamps: Stamps;
  recentTexts: RecentTexts;
}
