import type { DraftStored } from '@app/contract/blog/draft-replies';
import type { DraftFields } from '@app/contract/blog/drafts';
import { blogMessages } from '@app/contract/blog/messages';
import type { RefusedSave } from '@app/contract/blog/pages';
import type { Post } from '@app/contract/blog/posts';
import { readSchedule } from '@app/contract/blog/schedule';
import { limits } from '@app/contract/limits';
import type { PageData } from '@app/contract/pages';
import type { Problem } from '@app/contract/problems';
import { createMiddleware } from 'hono/factory';
import { findPageAccount } from '../../accounts/sessions/page-account.ts';
import { mayWrite } from '../../accounts/sessions/permissions.ts';
import { findUser } from '../../accounts/sessions/session-cookie.ts';
import type { SignedIn } from '../../accounts/sessions/sessions.ts';
import type { AppContext, AppEnv } from '../../server/context.ts';
import { htmlBytes } from '../../server/html-bytes.ts';
import { type FormFields, sentForm } from '../../server/input.ts';
import { endSignedIn } from '../../server/redirect-to-sign-in.ts';
import { personalPage } from '../../server/rendered-page.ts';
import { unreceivedForm } from '../../server/unreceived-form.ts';
import type { Deps } from '../deps.ts';
import { createDrafts, type DraftRefusal } from '../drafts/drafts.ts';
import { createPosts } from '../posts/posts.ts';

/**
 * Of HTML: enough for a text of twice the allowed length in any script, or of the allowed length
 * with all characters escaped. Rendering that takes tens of milliseconds.
 */
const maxShownBytes = 6 * limits.content + limits.bodyBytes;

/**
 * When a text sent without JavaScript is refused for any reason, responds with the editor's page
 * and that text, unless it is far too long. Works without a session and without a writable disk.
 * Goes before `formPost`.
 */
export function showRefusedSave(deps: Deps) {
  const posts = createPosts(deps);
  const drafts = createDrafts(deps);

  return createMiddleware<AppEnv>(async (c, next) => {
    const typed = sentForm(c);
    // The buttons that publish and unpublish send no text.
    if (typed?.['content'] === undefined) return next();
    c.set('refusal', 'none');
    await next();
    const refusal = c.get('refusal');
    c.set('refusal', undefined);
    if (!refusal || refusal === 'none') return;
    c.header('Content-Type', undefined);
    c.res = await pageWith(c, typed, refusal);
  });

  async function pageWith(c: AppContext, typed: FormFields, refused: Problem): Promise<Response> {
    let refusal = refused;
    const user = await findUser(c, deps);
    const id = c.req.param('post');
    const found = user && id !== undefined ? posts.findToChange(id, user) : null;
    const post = found && !('refused' in found) ? found : null;
    if (user && post && refusal.code === 'edit_conflict') {
      const stored = await storeDraft(user, post, typed);
      // That page shows both texts to choose from.
      if (!('refused' in stored)) {
        return c.redirect(`/blog/editor/${post.slug}?draft=restore#edit-conflict`, 303);
      }
      if (stored.refused === 'draft_changed') {
        refusal = { ...refusal, detail: blogMessages.unsaved.conflict };
      }
    }
    if (sizeOf(typed) > maxShownBytes) return unreceivedForm(c, deps, 'too-large');
    if (refusal.code === 'not_signed_in') endSignedIn(c);
    c.status(refusal.status as Parameters<typeof c.status>[0]);
    const page: PageData = {
      kind: 'edit',
      ...{ post, draft: null, restored: null },
      refused: refusedSave(c.req.path, typed, { refusal, isGone: isGone(refusal, user) }),
    };
    return personalPage(c, deps, page, {
      path: `/blog/editor/${post?.slug ?? 'refused'}`,
      account: await findPageAccount(c, deps),
    });
  }

  /** The text of a post that is missing, or not the user's, can be saved as a new post. */
  function isGone({ code }: Problem, user: SignedIn | null): boolean {
    const isOfOther = code === 'not_allowed' && user !== null && mayWrite(deps.settings, user);
    return code === 'not_found' || isOfOther;
  }

  /** Replaces the draft that the form continues, but no other draft. */
  function storeDraft(
    user: SignedIn,
    post: Post,
    typed: FormFields,
  ): Promise<DraftStored | DraftRefusal> {
    const baseVersion = Number(typed['baseVersion']);
    const previous = typed['draftUpdatedAt'] ?? null;
    const fields = { ...fieldsOf(typed), ...chosenTime(typed) };
    return drafts.store(user, post.id, { ...fields, baseVersion, previous });
  }
}

/** Includes the names, because the page shows those of unknown fields. */
const sizeOf = (typed: FormFields): number =>
  htmlBytes(Buffer.from(Object.entries(typed).flat().join('')));

function refusedSave(
  path: string,
  typed: FormFields,
  { refusal, isGone }: { refusal: Problem; isGone: boolean },
): RefusedSave {
  const { scheduledAt = '', scheduledBefore = '', timeZone = '' } = typed;
  const { code, detail, issues = [] } = refusal;
  return {
    action: isGone ? '/api/posts' : path,
    fields: fieldsOf(typed),
    schedule: { scheduledAt, scheduledBefore, timeZone },
    baseVersion: isGone ? null : (typed['baseVersion'] ?? null),
    draft: continuedDraft(typed),
    problem: { code, detail, issues },
  };
}

const continuedDraft = ({ draft, draftUpdatedAt }: FormFields): RefusedSave['draft'] =>
  draft === undefined || draftUpdatedAt === undefined
    ? null
    : { id: draft, updatedAt: draftUpdatedAt };

const fieldsOf = (typed: FormFields): DraftFields => {
  const { title = '', slug = '', excerpt = '', coverImage = '', tags = '', content = '' } = typed;
  return {
    ...{ title, slug, excerpt, coverImage, tags },
    // Forms send line breaks as CR LF (HTML, 4.10.22.8); the page shows LF.
    content: content.replaceAll('\r\n', '\n'),
    published: typed['published'] === 'true',
  };
};

/** A published post has no scheduled time. */
const chosenTime = ({ published, scheduledAt, scheduledBefore, timeZone }: FormFields) =>
  published === 'true' ? {} : readSchedule({ scheduledAt, scheduledBefore, timeZone });
