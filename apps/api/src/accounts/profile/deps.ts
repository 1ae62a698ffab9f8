import type { ImageProcessor } from '../../images/image-processor.ts';
import type { Publisher } from '../../publishing/publisher.ts';
import type { DiskSpace } from '../../server/health/disk-space.ts';
import type { Deps as SessionDeps } from '../sessions/deps.ts';
import type { Avatars } from './avatars.ts';
import type { LogByline, UserData } from './user-data.ts';

export interface Deps extends SessionDeps {
  publisher: Publisher;
  images: ImageProcessor;
  avatars: Avatars;
  diskSpace: DiskSpace;
  userData: readonly UserData[];
  logByline: LogByline;
}
