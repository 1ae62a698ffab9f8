import { measureAccounts } from './accounts.ts';
import { measureBuilds } from './builds.ts';
import { measureContentSystems } from './content-systems.ts';
import { measureImports } from './imports.ts';
import { measurePreviews } from './preview.ts';
import { measurePublishing } from './publishing.ts';
import { measureScaling } from './scaling.ts';
import { measureSearch } from './search.ts';
import { measureServing } from './serving.ts';
import { measureSubmissions } from './submissions.ts';
import type { Suite } from './suite.ts';

/** All of them together take 25 minutes on two cores. */
export const suites: readonly Suite[] = [
  { name: 'publishing', minutes: 15, measure: measurePublishing },
  { name: 'builds', minutes: 15, measure: measureBuilds },
  { name: 'serving', minutes: 10, measure: measureServing },
  { name: 'preview', minutes: 10, measure: measurePreviews },
  { name: 'search', minutes: 10, measure: measureSearch },
  { name: 'imports', minutes: 10, measure: measureImports },
  { name: 'submissions', minutes: 10, measure: measureSubmissions },
  { name: 'accounts', minutes: 10, measure: measureAccounts },
  { name: 'scaling', minutes: 20, measure: measureScaling },
];

/** Only with `--peers`, because Ghost and EmDash take minutes to install and build. */
export const peerSuites: readonly Suite[] = [
  { name: 'content-systems', minutes: 20, measure: measureContentSystems },
];
