CREATE TABLE `requested_emails` (
	`id` integer PRIMARY KEY NOT NULL,
	`mailbox_hash` text NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `requested_emails_mailbox` ON `requested_emails` (`mailbox_hash`,`created_at`);--> statement-breakpoint
ALTER TABLE `email_tokens` ADD `session_id` text REFERENCES sessions(id) ON DELETE cascade;--> statement-breakpoint
CREATE INDEX `email_tokens_session_id` ON `email_tokens` (`session_id`);