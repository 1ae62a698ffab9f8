import type { ServerProcess } from './server-process.ts';

export interface NewPost {
  title: string;
  /** Markdown. */
  content: string;
}

/** Another content management system, with an empty blog. */
export interface ContentSystem {
  server: ServerProcess;
  /**
   * Publishes a post through its admin API.
   * @returns the URL of its page
   */
  publish(post: NewPost): Promise<string>;
}
