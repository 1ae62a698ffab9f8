import { sitePages } from 'virtual:site-pages';
import type { NavigationLink } from '@app/site/navigation';

const existing = new Set(sitePages);

/** Whether the site has the page at this path; a fragment does not matter. */
export const pageExists = (path: string): boolean => existing.has(path.replace(/#.*/, ''));

/** The links that lead somewhere. */
export const existingLinks = (links: readonly NavigationLink[]): NavigationLink[] =>
  links.filter((link) => pageExists(link.path));
