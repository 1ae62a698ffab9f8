import { accountMessages } from '@app/contract/accounts/messages';
import { newPost, type Post, type PostSaved, postChange, slugOf } from '@app/contract/blog/posts';
import { limits } from '@app/contract/limits';
import { messages } from '@app/contract/messages';
import type { Problem } from '@app/contract/problems';
import { Fragment, useLayoutEffect, useRef, useState } from 'react';
import type * as v from 'valibot';
import { Field } from '../components/form/Field.tsx';
import { FormResult } from '../components/form/FormResult.tsx';
import { Notice, type NoticeText } from '../components/form/Notice.tsx';
import { SubmitButton } from '../components/form/SubmitButton.tsx';
import { useForm } from '../components/form/use-form.ts';
import type { Outcome } from '../components/form/use-form-action.ts';
import { Switch } from '../components/Switch.tsx';
import { tabClass } from '../components/TabList.tsx';
import { queueToast, type ToastText } from '../components/toast-after-redirect.ts';
import { callApi } from '../http/call-api.ts';
import { pendingNote } from './pending-note.ts';
import { useWriter } from './use-writer.ts';

interface PostEditorProps {
  post?: Post;
}

const fieldsOf = (fields: FormData) => ({
  ...Object.fromEntries(fields),
  published: fields.has('published'),
});

export const PostEditor = ({ post: initial }: PostEditorProps) => {
  const post = initial?.isSample ? undefined : initial;
  const writer = useWriter();
  const content = useRef<HTMLTextAreaElement>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [published, setPublished] = useState(post?.published ?? false);
  const [slugHint, setSlugHint] = useState('');
  useTypedText(content);

  const schema: v.GenericSchema<unknown, object> = post ? postChange : newPost;
  const { submitted, result, errors, attributes } = useForm<typeof schema, SaveFailure>({
    schema,
    read: fieldsOf,
    send: async (fields) => {
      const reply = post
        ? await callApi<PostSaved>('PATCH', `/api/posts/${post.id}`, fields)
        : await callApi<PostSaved>('POST', '/api/posts', fields);
      if (!reply.ok) return failureOutcome(reply.problem);
      queueToast(savedText(reply.value, post ? messages.blog.updated : messages.blog.created));
      location.assign(`/blog/${reply.value.post.slug}`);
      // The form stays busy until the browser has left. The back/forward cache may restore it.
      return new Promise((left) => addEventListener('pagehide', () => left({}), { once: true }));
    },
  });

  const showPreview = (show: boolean) => setPreview(show ? (content.current?.value ?? '') : null);

  if (writer === 'signed-out' || writer === 'may-not-write') {
    return (
      <Notice
        tone="warning"
        title={
          writer === 'signed-out'
            ? messages.blog.signInToWrite
            : 'Your account can read the blog but not write for it.'
        }
      >
        <p className="mt-2">
          <a className="link" href={writer === 'signed-out' ? '/auth' : '/blog'}>
            {writer === 'signed-out' ? 'Sign In' : 'Back to Blog'}
          </a>
        </p>
      </Notice>
    );
  }

  return (
    <form {...attributes} action={post ? `/api/posts/${post.id}` : '/api/posts'} method="post">
      <div className="grid gap-6">
        {post && (
          <p className="text-muted-foreground">
            You are editing a {post.published ? 'published' : 'draft'} post.
            {published !== post.published && ` ${messages.blog.switchTakesEffectOnSave}`}
          </p>
        )}
        <Field id="post-title" name="title" label="Title" errors={errors}>
          {(control) => (
            <input
              {...control}
              defaultValue={initial?.title}
              required
              maxLength={limits.title}
              onChange={(event) => setSlugHint(slugOf(event.target.value))}
            />
          )}
        </Field>
        <div className="grid gap-6 md:grid-cols-2">
          <Field
            id="post-slug"
            name="slug"
            label="URL Slug"
            hint={
              post
                ? 'The old address will lead to the new one.'
                : 'Left empty, it is made from the title.'
            }
            errors={errors}
          >
            {(control) => (
              <input
                {...control}
                defaultValue={initial?.slug}
                placeholder={slugHint}
                required={post !== undefined}
                maxLength={limits.slug}
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </Field>
          <Field id="post-cover" name="coverImage" label="Cover Image URL" errors={errors}>
            {(control) => (
              <input
                {...control}
                defaultValue={initial?.coverImage ?? undefined}
                type="url"
                maxLength={limits.url}
              />
            )}
          </Field>
        </div>
        <Field
          id="post-excerpt"
          name="excerpt"
          label="Excerpt"
          aside="(optional)"
          hint={`Left empty, it is the first ${limits.autoExcerpt} characters of the content.`}
          errors={errors}
        >
          {(control) => (
            <textarea
              {...control}
              defaultValue={initial?.excerpt}
              rows={2}
              maxLength={limits.excerpt}
            />
          )}
        </Field>
        <Field
          id="post-content"
          name="content"
          label="Content"
          beside={<ContentTabs preview={preview !== null} onChoose={showPreview} />}
          errors={errors}
        >
          {(control) => (
            <>
              <div
                id="edit-panel"
                role="tabpanel"
                aria-labelledby="edit-tab"
                hidden={preview !== null}
              >
                <textarea
                  {...control}
                  ref={content}
                  className="input field-sizing-content min-h-100 leading-[1.6]"
                  defaultValue={initial?.content}
                  required
                  maxLength={limits.content}
                />
              </div>
              <div
                id="preview-panel"
                role="tabpanel"
                aria-labelledby="preview-tab"
                className="panel min-h-100 p-6 leading-[1.6]"
                hidden={preview === null}
              >
                {preview?.split('\n').map((line, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their index
                  <Fragment key={index}>
                    {line}
                    <br />
                  </Fragment>
                ))}
              </div>
            </>
          )}
        </Field>
        <div className="flex flex-wrap items-center gap-6">
          <Switch
            name="published"
            value="true"
            on="Published"
            off="Draft"
            defaultChecked={post?.published}
            onChange={(event) => setPublished(event.target.checked)}
          />
          <SubmitButton className="button" busyLabel="Saving...">
            Save
          </SubmitButton>
          {writer === 'loading' && (
            <span className="noscript:hidden! text-muted-foreground">Loading...</span>
          )}
        </div>
      </div>
      <FormResult submitted={submitted} targets={{ invalid, failed: saveFailed }}>
        {result && (
          <Notice {...result}>
            {result.isSignedOut && (
              <p>
                {/* In a new tab, to keep the text. */}
                <a className="link" href="/auth" target="_blank" rel="noopener">
                  {accountMessages.signedOut.link}
                </a>
              </p>
            )}
          </Notice>
        )}
      </FormResult>
    </form>
  );
};

const saveFailed: NoticeText = {
  tone: 'danger',
  title: messages.blog.error,
  description: messages.blog.saveFailed,
};
const invalid: NoticeText = {
  ...saveFailed,
  description: `${messages.field.titleRequired}. ${messages.field.contentRequired}.`,
};

const savedText = ({ post, publishing }: PostSaved, title: string): ToastText => {
  const description = post.published ? messages.blog.savedPublished : messages.blog.savedDraft;
  const pending = pendingNote(publishing);
  return pending
    ? { tone: 'warning', title, description, detail: pending }
    : { title, description };
};

interface SaveFailure extends NoticeText {
  isSignedOut?: boolean;
}

const failureOutcome = (problem: Problem | null): Outcome<SaveFailure> => {
  if (!problem) {
    return { result: { ...saveFailed, description: messages.forms.unreachableTyped } };
  }
  const { code, detail, issues } = problem;
  if (code === 'slug_taken') return { issues: [{ path: 'slug', message: detail }] };
  if (issues?.[0]) return { issues };
  if (code !== 'not_signed_in') return { result: { ...saveFailed, description: detail } };
  const { title } = accountMessages.signedOut;
  const description = messages.blog.signInToSave;
  return { result: { tone: 'warning', title, description, isSignedOut: true } };
};

interface ContentTabsProps {
  preview: boolean;
  onChoose: (preview: boolean) => void;
}

const ContentTabs = ({ preview, onChoose }: ContentTabsProps) => {
  const tabs = useRef<HTMLDivElement>(null);
  const tab = (id: string, label: string, isPreview: boolean) => ({
    id,
    children: label,
    className: tabClass,
    type: 'button' as const,
    role: 'tab',
    'aria-selected': preview === isPreview,
    'aria-controls': isPreview ? 'preview-panel' : 'edit-panel',
    tabIndex: preview === isPreview ? 0 : -1,
    onClick: () => onChoose(isPreview),
  });

  return (
    <div
      ref={tabs}
      className="flex w-fit gap-1 rounded-control bg-muted p-1 noscript:hidden!"
      role="tablist"
      aria-label="Content"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
        onChoose(!preview);
        tabs.current?.querySelector<HTMLElement>('[tabindex="-1"]')?.focus();
      }}
    >
      <button {...tab('edit-tab', 'Edit', false)} />
      <button {...tab('preview-tab', 'Preview', true)} />
    </div>
  );
};

/** React resets a textarea on hydration; this restores what was typed before. */
const useTypedText = (textarea: React.RefObject<HTMLTextAreaElement | null>) => {
  const [typed] = useState(() =>
    typeof document === 'undefined'
      ? undefined
      : document.querySelector<HTMLTextAreaElement>('#post-content')?.value,
  );

  useLayoutEffect(() => {
    if (textarea.current && typed !== undefined) textarea.current.value = typed;
  }, [textarea, typed]);
};
