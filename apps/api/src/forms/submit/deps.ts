import type { Deps as EmailDeps } from '../../email/deps.ts';
import type { FormTokens } from './form-tokens.ts';
import type { RecentTexts } from './recent-texts.ts';

export interface Deps extends EmailDeps {
  formTokens: FormTokens;
  recentTexts: RecentTexts;
}
