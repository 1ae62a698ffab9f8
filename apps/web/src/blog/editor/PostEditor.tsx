import { blogMessages } from '@app/contract/blog/messages';
import { newPost, type Post, type PostSaved, postChange } from '@app/contract/blog/posts';
import { localTextOf, readSchedule } from '@app/contract/blog/schedule';
import type { EditConflict as Conflict } from '@app/contract/edit-conflict';
import type { Problem } from '@app/contract/problems';
import { editor } from '@app/site/blog/editor';
import { pictureTexts } from '@app/site/blog/pictures';
import { useCallback, useEffect, useRef, useState } from 'react';
import type * as v from 'valibot';
import type { NoticeText } from '../../components/form/Notice.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { Switch } from '../../components/Switch.tsx';
import { queueToast, showQueuedToast } from '../../components/toast-after-redirect.ts';
import { callApi } from '../../http/call-api.ts';
import { initialTexts, type PostTexts, sameTexts, textsOf } from '../../unsaved/form-texts.ts';
import { isSaveKey } from '../is-save-key.ts';
import { ContentField, type ContentTab } from './ContentField.tsx';
import { EditConflict } from './EditConflict.tsx';
import { findStored } from './find-stored.ts';
import { type EditorTexts, initialForm } from './initial-form.ts';
import { shownTexts } from './island-texts.ts';
import type { MarkdownEditor } from './markdown/create-editor.ts';
import { NotAWriter } from './NotAWriter.tsx';
import { navigateTo } from './navigate-to.ts';
import { PostFields } from './PostFields.tsx';
import { Others } from './presence/Others.tsx';
import { type PreviewHandle, PreviewPane } from './preview/PreviewPane.tsx';
import { chosenTexts, mergedTexts } from './resolve-conflict.ts';
import { SaveButton } from './SaveButton.tsx';
import { SaveResult } from './SaveResult.tsx';
import { ScheduleField } from './ScheduleField.tsx';
import { StatusLine } from './StatusLine.tsx';
import { postGone, savedText, saveFailed, saveFailureOutcome } from './save-outcome.ts';
import { UnsavedOffers } from './unsaved/UnsavedOffers.tsx';
import { useUnsavedText } from './unsaved/use-unsaved-text.ts';
import { useIsWide } from './use-is-wide.ts';
import { useWriter } from './use-writer.ts';

interface PostEditorProps extends EditorTexts {
  /** Unsaved text that the user can restore. */
  draft?: { id: string; updatedAt: string } | null;
}

const fieldsOf = (form: FormData) => {
  const fields = Object.fromEntries(form) as Record<string, string>;
  const { published, scheduledAt, scheduledBefore, timeZone, ...texts } = fields;
  if (published !== undefined) return { ...texts, published: true };
  return {
    ...texts,
    published: false,
    ...readSchedule({ scheduledAt, scheduledBefore, timeZone }),
  };
};

const stateOf = ({ published, scheduledAt }: Post) => {
  if (published) return 'published';
  return scheduledAt === null ? 'draft' : 'scheduled';
};

const targetOf = (post: Post | undefined) =>
  post ? (['PATCH', `/api/posts/${post.id}`] as const) : (['POST', '/api/posts'] as const);

/** In milliseconds. After that time, the writer can try again. */
const saveTimeout = 60_000;

export const PostEditor = ({ draft, ...texts }: PostEditorProps) => {
  const [{ post: given, restored }] = useState(() => shownTexts(texts));
  const initial = initialForm({ post: given, restored });
  const [post, setPost] = useState(initial.post);
  const [published, setPublished] = useState(initial.published);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const content = useRef<HTMLTextAreaElement>(null);
  const markdown = useRef<MarkdownEditor>(null);
  const preview = useRef<PreviewHandle>(null);
  const unanswered = useRef<PostTexts[]>([]);
  const [tab, setTab] = useState<ContentTab>('edit');
  const isWide = useIsWide();
  const cursorOf = useCallback(
    () =>
      content.current && {
        text: markdown.current?.text() ?? content.current.value,
        position: markdown.current?.cursor() ?? content.current.selectionStart,
      },
    [],
  );

  const schema: v.GenericSchema<unknown, object> = post ? postChange : newPost;
  const { submitted, result, show, errors, forget, attributes } = useForm<
    typeof schema,
    NoticeText
  >({
    schema,
    read: fieldsOf,
    prepare: () => markdown.current?.afterPastes(),
    onIssues: (issues) => {
      if (issues.some(({ path }) => path === 'content')) setTab('edit');
    },
    send: async (fields, form) => {
      if (markdown.current?.pictures.arePending()) {
        return { result: { ...saveFailed, description: pictureTexts.stillUploading } };
      }
      const sync = unsaved.sync.current;
      const sent = textsOf(form);
      await sync?.pause();
      const signal = AbortSignal.timeout(saveTimeout);
      const isOwn = ({ id, authorId }: Post) => (post ? id === post.id : authorId === account);
      const stored = await findStored(unanswered.current, isOwn, signal);
      const baseVersion = stored?.version ?? unsaved.baseVersion;
      const body = {
        ...fields,
        ...(baseVersion !== undefined && { baseVersion }),
        ...sync?.savedText(),
      };
      const base = stored ?? post;
      const [method, path] = targetOf(base);
      const reply = await callApi<PostSaved>(method, path, body, { signal });
      if (!reply.ok) {
        if (!reply.problem) unanswered.current.push(sent);
        sync?.resume();
        return showFailure(reply.problem, base, sent);
      }
      unanswered.current = [];
      setConflict(null);
      const saved = reply.value.post;
      await unsaved.continueFrom(saved);
      queueToast(savedText(reply.value, post ? blogMessages.updated : blogMessages.created));
      // Stay on the page if the writer has continued to type.
      if (sync?.isUnsent() || !(await navigateTo(`/blog/${saved.slug}`))) {
        history.replaceState(history.state, '', `/blog/editor/${saved.slug}`);
        showQueuedToast();
      }
      setPost(saved);
      return {};
    },
  });

  const {
    state: writer,
    account,
    hasTyped,
  } = useWriter(() => {
    const form = attributes.ref.current;
    const { fields, scheduledAt } = initial;
    const texts = { ...initialTexts(fields), ...(scheduledAt !== undefined && { scheduledAt }) };
    return form !== null && !sameTexts(textsOf(form), texts);
  });

  // On the whole page: after a restore, for example, the focus is outside the form.
  const { ref: form } = attributes;
  useEffect(() => {
    const saveByKey = (event: KeyboardEvent) => {
      if (!isSaveKey(event) || !form.current) return;
      event.preventDefault();
      if (!document.querySelector('dialog:modal')) form.current.requestSubmit();
    };
    document.addEventListener('keydown', saveByKey);
    return () => document.removeEventListener('keydown', saveByKey);
  }, [form]);

  const fill = ({ published: isPublished, scheduledAt, ...texts }: PostTexts) => {
    const form = attributes.ref.current;
    if (!form) return;
    const fieldOf = (name: string) => form.elements.namedItem(name) as HTMLInputElement;
    for (const [name, text] of Object.entries(texts)) fieldOf(name).value = text;
    if (scheduledAt !== undefined) {
      fieldOf('scheduledAt').value = localTextOf(scheduledAt, fieldOf('timeZone').value);
    }
    markdown.current?.setText(texts.content);
    if (fieldOf('published').checked !== isPublished) fieldOf('published').click();
    form.dispatchEvent(new Event('input'));
  };
  const refill = (change: (typed: PostTexts) => PostTexts) => {
    const form = attributes.ref.current;
    if (form) fill(change(textsOf(form)));
  };
  const showFailure = (problem: Problem | null, base: Post | undefined, sent: PostTexts) => {
    if (base && problem?.code === 'not_found') {
      becomeNew();
      return { result: postGone };
    }
    const found = problem?.conflict;
    // What was typed since is not part of the conflict. The next save finds both.
    const isTyping = form.current && !sameTexts(textsOf(form.current), sent);
    if (!found || isTyping) return saveFailureOutcome(problem);
    unsaved.rebase(found.version);
    refill((typed) => mergedTexts(found, typed));
    setConflict(found);
    return {};
  };

  const becomeNew = () => {
    unsaved.becomeNew();
    setConflict(null);
    setPost(undefined);
    history.replaceState(history.state, '', '/blog/editor');
  };
  const onGone = () => {
    becomeNew();
    show(postGone);
  };
  const unsaved = useUnsavedText({
    ...{ form: attributes.ref, post, restored, draft, account, fill, onGone },
    sample: given?.isSample ? initial.fields : null,
  });

  const mayNotSave = writer === 'signed-out' || writer === 'may-not-write';
  const notAWriter = mayNotSave && (
    <NotAWriter isSignedOut={writer === 'signed-out'} hasTyped={hasTyped} />
  );
  // Keep the form if it has typed text, which is nowhere else.
  if (mayNotSave && !hasTyped) return notAWriter;

  return (
    <>
      {notAWriter && <div className="mb-8">{notAWriter}</div>}
      <UnsavedOffers
        offers={unsaved.offers}
        disabled={account === null}
        onRestore={unsaved.restore}
        onDiscard={unsaved.discard}
      />
      {conflict && (
        <EditConflict
          key={conflict.version}
          conflict={conflict}
          onChoose={(choices) => {
            refill((typed) => chosenTexts(conflict, typed, choices));
            setConflict(null);
            content.current?.form?.scrollIntoView();
          }}
        />
      )}
      <form {...attributes}>
        <div className="grid grid-cols-1 gap-6 xl:grid-cols-2 xl:gap-x-10">
          <div className="grid min-w-0 grid-cols-1 content-start gap-6">
            {post && (
              <p className="text-muted-foreground">
                {editor.editing(stateOf(post))}
                {published !== post.published && ` ${blogMessages.switchTakesEffectOnSave}`}
              </p>
            )}
            <PostFields
              initial={initial.fields}
              form={attributes.ref}
              post={post}
              errors={errors}
              forgetError={forget}
            />
            <ContentField
              ref={content}
              markdown={markdown}
              initial={initial.fields?.content}
              errors={errors}
              tab={tab}
              isShown={isWide || tab === 'edit'}
              onTab={setTab}
              onCursor={() => preview.current?.follow()}
            />
          </div>
          <div
            id="preview"
            role="tabpanel"
            aria-labelledby="preview-tab"
            className="min-w-0 max-xl:-mt-6 xl:row-span-2"
            hidden={!isWide && tab !== 'preview'}
          >
            <div className="h-[75dvh] min-h-100 xl:sticky xl:top-24 xl:h-[calc(100dvh-8rem)]">
              <PreviewPane
                ref={preview}
                form={attributes.ref}
                postId={post?.id}
                isShown={isWide || tab === 'preview'}
                device={isWide ? 'desktop' : 'phone'}
                cursorOf={cursorOf}
              />
            </div>
          </div>
          <div className="group/publishing flex flex-wrap content-start items-end gap-6 xl:col-start-1">
            <Switch
              name="published"
              value="true"
              on={editor.published}
              off={blogMessages.draft}
              defaultChecked={published}
              onChange={(event) => setPublished(event.target.checked)}
            />
            <ScheduleField
              scheduledAt={post?.scheduledAt ?? null}
              chosen={initial.scheduledAt}
              errors={errors}
            />
            <SaveButton disabled={writer === 'loading'} />
            {writer === 'loading' ? (
              <span className="py-3 leading-6 text-muted-foreground">{blogMessages.loading}</span>
            ) : (
              <>
                <StatusLine status={unsaved.status} />
                <Others post={post?.id} />
              </>
            )}
          </div>
        </div>
        <SaveResult submitted={submitted} failure={result} errors={errors} />
      </form>
    </>
  );
};
