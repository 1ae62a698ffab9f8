import { accountMessages } from '@app/contract/accounts/messages';
import { signInPath } from '@app/contract/accounts/return-path';
import { blogMessages } from '@app/contract/blog/messages';
import type { RefusedSave } from '@app/contract/blog/pages';
import { editor } from '@app/site/blog/editor';
import { fieldIds } from './field-ids.ts';

const { notSaved } = editor;

/** Explains why a text that was sent without JavaScript was not saved. */
export const RefusedNotice = ({ problem: { code, detail, issues } }: RefusedSave) => (
  <div className="notice notice-danger mb-8" role="alert">
    <p className="font-semibold">{notSaved.title}</p>
    {issues.length > 0 ? (
      <ul className="my-1 list-disc pl-5">
        {issues.map(({ path, message }) => (
          <li key={path}>
            {fieldIds[path] ? (
              <a className="underline underline-offset-[0.2em]" href={`#${fieldIds[path]}`}>
                {message}
              </a>
            ) : (
              `${path} ${message}`
            )}
          </li>
        ))}
      </ul>
    ) : (
      <p>{detail}</p>
    )}
    <p>{notSaved.textBelow}</p>
    {code === 'not_found' && <p>{notSaved.gone}</p>}
    {code === 'name_required' && (
      <p>
        <a className="link" href="/profile" target="_blank" rel="noopener">
          {blogMessages.nameRequired.link}
        </a>
      </p>
    )}
    {code === 'not_signed_in' && (
      <p>
        {notSaved.signedOut[0]}
        {/* A new tab, so that the text is not lost. */}
        <a className="link" href={signInPath('/blog')} target="_blank" rel="noopener">
          {accountMessages.signedOut.link}
        </a>
        {notSaved.signedOut[1]}
      </p>
    )}
  </div>
);
