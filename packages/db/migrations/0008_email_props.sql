ALTER TABLE `outbox` RENAME COLUMN `letter` TO `props`;--> statement-breakpoint
-- Emails used to be stored as headings, paragraphs and links. Their templates need only what differs.
UPDATE `outbox` SET `props` = CASE
	WHEN `kind` IN ('confirmation', 'already-registered', 'sign-up-again', 'address-taken', 'newsletter-confirmation')
		THEN json_object('link', `props` ->> '$.action.url')
	WHEN `kind` IN ('password-changed', 'google-linked')
		THEN json_object('link', `props` ->> '$.link.url')
	WHEN `kind` = 'password-reset'
		THEN json_object('link', `props` ->> '$.action.url', 'hours', 1)
	WHEN `kind` = 'email-change'
		THEN json_object('link', `props` ->> '$.action.url', 'hours', 24)
	WHEN `kind` = 'email-change-requested'
		THEN json_object('newEmail', `props` ->> '$.facts[1].value', 'cancelLink', `props` ->> '$.action.url', 'hours', 24)
	WHEN `kind` = 'email-changed'
		THEN json_object('newEmail', `props` ->> '$.facts[1].value')
	WHEN `kind` = 'account-deleted'
		THEN json_object('posts', iif(`props` ->> '$.paragraphs[0]' LIKE '%stay on the blog%', 'keep', 'delete'))
	WHEN `kind` = 'newsletter-welcome'
		THEN json_object('blogLink', `props` ->> '$.action.url', 'unsubscribeLink', `props` ->> '$.link.url')
	WHEN `kind` = 'contact-receipt'
		THEN json_object('name', substr(`props` ->> '$.paragraphs[0]', 7, length(`props` ->> '$.paragraphs[0]') - 7), 'message', `props` ->> '$.quote.text')
	WHEN `kind` = 'contact-notice'
		THEN json_object(
			'name', `props` ->> '$.facts[0].value',
			'email', `props` ->> '$.facts[1].value',
			'phone', (SELECT value ->> '$.value' FROM json_each(`props`, '$.facts') WHERE value ->> '$.label' = 'Phone'),
			'company', (SELECT value ->> '$.value' FROM json_each(`props`, '$.facts') WHERE value ->> '$.label' = 'Company'),
			'about', (SELECT value ->> '$.value' FROM json_each(`props`, '$.facts') WHERE value ->> '$.label' = 'About'),
			'message', `props` ->> '$.quote.text')
	WHEN `kind` = 'career-notice'
		THEN json_object(
			'name', `props` ->> '$.facts[0].value',
			'email', `props` ->> '$.facts[1].value',
			'resume', `props` ->> '$.facts[2].value',
			'message', `props` ->> '$.quote.text')
	ELSE `props`
END
-- Without the parts that its kind had, a row stays as it is: sending it fails, and a person can read why.
WHERE `props` ->> '$.heading' IS NOT NULL;
