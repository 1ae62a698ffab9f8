import { authErrorText } from '@app/contract/accounts/auth-errors';
import { accountMessages } from '@app/contract/accounts/messages';
import { signInForms } from '@app/site/accounts/sign-in';
import { useEffect, useState } from 'react';
import { Notice } from '../../components/form/Notice.tsx';
import { TabList } from '../../components/TabList.tsx';
import { AuthTargets } from './AuthTargets.tsx';
import { GoogleFailedToast } from './GoogleFailedToast.tsx';
import { ResendForm } from './ResendForm.tsx';
import { SignIn } from './SignIn.tsx';
import { SignUp } from './SignUp.tsx';

const tabs = [
  { id: 'sign-in', label: signInForms.signIn.submit, Form: SignIn },
  { id: 'sign-up', label: signInForms.signUp.submit, Form: SignUp },
] as const;
type Tab = (typeof tabs)[number]['id'];

interface AuthFormsProps {
  /** The email of a form that was rejected without JavaScript. */
  entered?: string;
}

/** Sign In and Sign Up (spec §2). The tabs work without JavaScript; see tabs.css. */
export const AuthForms = ({ entered = '' }: AuthFormsProps) => {
  const [tab, setTab] = useState<Tab>('sign-in');
  const [enhanced, setEnhanced] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  const [query, setQuery] = useState({ email: '', error: '', link: '' });

  useEffect(() => {
    const search = new URLSearchParams(location.search);
    const read = (name: string) => search.get(name) ?? '';
    setQuery({ email: read('email'), error: authErrorText(read('error')), link: read('link') });
    // As in tabs.css: the tab, or one of its notices.
    if (location.hash.startsWith('#sign-up')) setTab('sign-up');
    setEnhanced(true);
  }, []);

  // `email` without `link=google` comes from an expired confirmation link.
  const isLinking = query.link === 'google';
  const isLinkDead = query.email !== '' && !isLinking;
  const hasQueryNotice = isLinking || isLinkDead || query.error !== '';

  return (
    <div data-tabs data-enhanced={enhanced || undefined}>
      <GoogleFailedToast />
      <div className="grid gap-4 not-empty:mb-6">
        {isLinkDead && (
          <Notice tone="warning" title={accountMessages.confirmation.deadLink}>
            <ResendForm id="query-resend" email={query.email} />
          </Notice>
        )}
        {isLinking && <Notice tone="warning" title={accountMessages.google.link} />}
        {query.error && (
          <Notice
            tone="danger"
            title={
              <>
                {signInForms.error} <bdi>{query.error}</bdi>
              </>
            }
          />
        )}
      </div>
      <div className="*:scroll-mt-40 has-target:mb-6">
        {!submitted && !hasQueryNotice && <AuthTargets entered={entered} />}
      </div>
      <TabList
        label={signInForms.tabs}
        tabs={tabs}
        open={tab}
        enhanced={enhanced}
        onOpen={setTab}
      />
      <div className="mt-6" onSubmitCapture={() => setSubmitted(true)}>
        {tabs.map(({ id, Form }) => (
          <section
            key={id}
            id={id}
            className="data-[open=false]:hidden"
            role="tabpanel"
            aria-labelledby={`${id}-tab`}
            data-open={tab === id}
          >
            <Form email={query.email || entered} />
          </section>
        ))}
      </div>
    </div>
  );
};
