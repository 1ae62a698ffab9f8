import type { Site } from '../create-deps.ts';
import type { createHttpServer } from '../server/http-server.ts';

export interface ServerParts extends Site {
  httpServer: ReturnType<typeof createHttpServer>;
  migrationsFolder: string;
  startNew: boolean;
}

export interface RunningServer {
  stop(): Promise<void>;
}
