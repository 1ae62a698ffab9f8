import type { Feature } from '../feature.ts';
import { deleteOldJobs, type JobDeps } from './jobs.ts';

export const publishing: Feature<JobDeps> = {
  name: 'publishing',
  cleanups: [deleteOldJobs],
};
