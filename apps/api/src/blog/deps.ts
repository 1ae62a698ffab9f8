import type { Deps as SessionDeps } from '../accounts/sessions/deps.ts';
import type { AuthoringSettings } from '../accounts/sessions/permissions.ts';
import type { ImageProcessor } from '../images/image-processor.ts';
import type { Publisher } from '../publishing/publisher.ts';
import type { Renderer } from '../publishing/renderer.ts';
import type { DiskSpace } from '../server/health/disk-space.ts';
import type { Pictures } from './pictures/pictures.ts';
import type { Quotas } from './posts/quotas.ts';
import type { Presence } from './presence/presence.ts';
import type { Bodies } from './rendering/bodies.ts';
import type { MergeTexts } from './revisions/merge-content.ts';
import type { Scheduler } from './scheduling/scheduler.ts';

export interface Deps extends SessionDeps {
  publisher: Publisher;
  bodies: Bodies;
  mergeTexts: MergeTexts;
  images: ImageProcessor;
  pictures: Pictures;
  scheduler: Scheduler;
  presence: Presence;
  diskSpace: DiskSpace;
  renderer: SessionDeps['renderer'] & Pick<Renderer, 'samplePosts'>;
  settings: SessionDeps['settings'] &
    AuthoringSettings & {
      /** Limits per member. Staff are unlimited. */
      quotas: Quotas;
    };
}
