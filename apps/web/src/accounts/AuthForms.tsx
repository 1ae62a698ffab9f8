import type { Credentials, SessionReply } from '@app/contract/accounts';
import { messages } from '@app/contract/messages';
import type { Problem } from '@app/contract/problems';
import { type KeyboardEvent, type MouseEvent, useEffect, useRef, useState } from 'react';
import { Notice, type NoticeText } from '../forms/Notice.tsx';
import { callApi, unreachable } from '../http/call-api.ts';
import { CredentialsForm } from './CredentialsForm.tsx';
import { ResendForm } from './ResendForm.tsx';
import '../components/tabs.css';

const tabs = [
  { id: 'sign-in', label: 'Sign In' },
  { id: 'sign-up', label: 'Sign Up' },
] as const;
type Tab = (typeof tabs)[number]['id'];

const notConfirmed: NoticeText = { tone: 'amber', title: messages.signIn.notConfirmedNotice };
const signedUp: NoticeText = { tone: 'good', title: messages.signUp.doneNotice };

const failure = (title: string, unexpected: string, problem: Problem | null): NoticeText => {
  if (!problem) return { tone: 'alarm', title, description: unreachable };
  return {
    tone: 'alarm',
    title,
    description: problem.code === 'internal' ? unexpected : problem.detail,
  };
};

/** Where the API leads a form that was sent without a script. */
const TargetNotices = () => (
  <>
    <Notice
      tone="alarm"
      title={messages.signIn.failed.title}
      description={messages.signIn.wrong}
      target="invalid-credentials"
    />
    <Notice {...notConfirmed} target="not-confirmed">
      <ResendForm id="not-confirmed-resend" />
    </Notice>
    <Notice tone="amber" title={messages.confirmation.deadLink} target="dead-link">
      <ResendForm id="dead-link-resend" />
    </Notice>
    <Notice {...signedUp} target="signed-up" />
    <Notice tone="good" title={messages.confirmation.sentNotice} target="confirmation-sent" />
    <Notice
      tone="alarm"
      title={messages.field.emailInvalid}
      description={messages.field.passwordTooShort}
      target="invalid"
    />
    <Notice tone="alarm" title={messages.signIn.failed.description} target="failed" />
  </>
);

/**
 * Sign In and Sign Up (spec §2). The tabs are links to the panels' fragments, so
 * that they switch without a script too; see auth.css.
 */
export const AuthForms = () => {
  const tabList = useRef<HTMLDivElement>(null);
  const [tab, setTab] = useState<Tab>('sign-in');
  const [enhanced, setEnhanced] = useState(false);
  const [tried, setTried] = useState(false);
  const [query, setQuery] = useState({ email: '', error: '' });
  const [signIn, setSignIn] = useState<NoticeText | null>(null);
  const [unconfirmed, setUnconfirmed] = useState<string | null>(null);
  const [signUp, setSignUp] = useState<NoticeText | null>(null);

  // The file is the same for everyone: what the address says is only known in the browser.
  useEffect(() => {
    const search = new URLSearchParams(location.search);
    setQuery({ email: search.get('email') ?? '', error: search.get('error') ?? '' });
    if (location.hash === '#sign-up') setTab('sign-up');
    setEnhanced(true);
  }, []);

  const choose = (event: MouseEvent, chosen: Tab) => {
    event.preventDefault();
    setTab(chosen);
  };

  // Two tabs: every arrow leads to the other one (ARIA practices, tabs pattern).
  const onTabKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    const other = tab === 'sign-in' ? 'sign-up' : 'sign-in';
    setTab(other);
    tabList.current?.querySelector<HTMLElement>(`[href="#${other}"]`)?.focus();
  };

  const sendSignIn = async (credentials: Credentials) => {
    setSignIn(null);
    setUnconfirmed(null);
    const reply = await callApi<SessionReply>('POST', '/api/auth/sign-in', credentials);
    if (reply.ok) {
      setSignIn({ tone: 'good', ...messages.signIn.done });
      location.assign('/blog');
      return [];
    }
    if (reply.problem?.issues) return reply.problem.issues;
    if (reply.problem?.code === 'email_not_confirmed') setUnconfirmed(credentials.email);
    else {
      const { title, description } = messages.signIn.failed;
      setSignIn(failure(title, description, reply.problem));
    }
    return [];
  };

  const sendSignUp = async (credentials: Credentials, form: HTMLFormElement) => {
    setSignUp(null);
    const reply = await callApi('POST', '/api/auth/sign-up', credentials);
    if (reply.ok) {
      const password = form.querySelector<HTMLInputElement>('[name="password"]');
      if (password) password.value = '';
      setSignUp(signedUp);
      return [];
    }
    if (reply.problem?.issues) return reply.problem.issues;
    const { title, description } = messages.signUp.failed;
    setSignUp(failure(title, description, reply.problem));
    return [];
  };

  return (
    <div
      className="auth"
      data-enhanced={enhanced || undefined}
      onSubmitCapture={() => setTried(true)}
    >
      {query.email && (
        <div className="mb-6">
          <Notice tone="amber" title={messages.confirmation.deadLink}>
            <ResendForm id="query-resend" email={query.email} />
          </Notice>
        </div>
      )}
      {query.error && (
        <div className="mb-6">
          <Notice tone="alarm" title={`Authentication error: ${query.error}`} />
        </div>
      )}
      <div className="notices">{!tried && !query.email && <TargetNotices />}</div>
      <div
        ref={tabList}
        className="flex gap-1 rounded-control bg-sunken p-1"
        role="tablist"
        aria-label="Sign in or sign up"
      >
        {tabs.map(({ id, label }) => (
          <a
            key={id}
            className="tab flex-1 text-center"
            href={`#${id}`}
            id={`${id}-tab`}
            role="tab"
            aria-selected={tab === id}
            aria-controls={id}
            tabIndex={enhanced && tab !== id ? -1 : undefined}
            onClick={(event) => choose(event, id)}
            onKeyDown={onTabKey}
          >
            {label}
          </a>
        ))}
      </div>
      <div className="auth-panels mt-6">
        <section
          id="sign-up"
          role="tabpanel"
          aria-labelledby="sign-up-tab"
          data-open={tab === 'sign-up'}
        >
          <CredentialsForm
            id="sign-up"
            submit="Sign Up"
            busySubmit="Signing up..."
            email={query.email}
            send={sendSignUp}
          >
            {signUp && <Notice {...signUp} />}
          </CredentialsForm>
        </section>
        <section
          id="sign-in"
          role="tabpanel"
          aria-labelledby="sign-in-tab"
          data-open={tab === 'sign-in'}
        >
          <CredentialsForm
            id="sign-in"
            submit="Sign In"
            busySubmit="Signing in..."
            email={query.email}
            send={sendSignIn}
          >
            {signIn && <Notice {...signIn} />}
            {unconfirmed !== null && (
              <Notice {...notConfirmed}>
                <ResendForm id="unconfirmed-resend" email={unconfirmed} />
              </Notice>
            )}
          </CredentialsForm>
        </section>
      </div>
    </div>
  );
};
