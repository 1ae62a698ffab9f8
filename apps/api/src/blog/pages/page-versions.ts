import { hash } from 'node:crypto';
import type { Neighbors } from '@app/contract/blog/pages';
import { type AuthorProfile, toAuthor } from '../../accounts/profile/author.ts';
import type { IsRedirectPage } from '../../publishing/pages.ts';
import { oldFeedPath } from './post-paths.ts';

export interface PostVersion extends AuthorProfile {
  id: string;
  version: number;
  revision: string;
}

/**
 * Identifies the content, including the author, even across diverged copies of the database.
 * @param neighbors only if the page shows them
 */
export function postVersion({ id, version, revision, ...row }: PostVersion, neighbors?: Neighbors) {
  const links = [neighbors?.previous, neighbors?.next].map(
    (link) => link && [link.slug, link.title],
  );
  const shown = JSON.stringify(neighbors ? [toAuthor(row), ...links] : toAuthor(row));
  return `${id}@${version}.${revision}.${hash('sha256', shown, 'base64url').slice(0, 11)}`;
}

/** Undefined if the page does not show a post from the database. */
export function postIdOf(version: string): string | undefined {
  const [id, revision] = version.split('@');
  return revision === undefined ? undefined : id;
}

/** @param lists version of the lists: samples show neighbors and tags only while listed */
export const sampleVersion = (slug: string, lists: string): string => `sample:${slug} ${lists}`;

export const isSampleVersion = (version: string | undefined): boolean =>
  version?.startsWith('sample:') ?? false;

export const movedVersion = (slug: string): string => `moved:${slug}`;

const isMovedVersion = (version: string): boolean => version.startsWith('moved:');

export const isRedirectPage: IsRedirectPage = (path, version) =>
  path === oldFeedPath || isMovedVersion(version);
