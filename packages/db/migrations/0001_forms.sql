CREATE TABLE `mail_suppressions` (
	`email` text PRIMARY KEY NOT NULL,
	`reason` text NOT NULL,
	`detail` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `kept_entries` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`form` text NOT NULL,
	`entries` text NOT NULL,
	`issues` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `kept_entries_created_at` ON `kept_entries` (`created_at`);--> statement-breakpoint
CREATE TABLE `rate_limits` (
	`key` text PRIMARY KEY NOT NULL,
	`points` integer DEFAULT 0 NOT NULL,
	`expire` integer
);
--> statement-breakpoint
CREATE TABLE `server_secrets` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `submission_keys` (
	`form` text NOT NULL,
	`key` text NOT NULL,
	`body_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`form`, `key`)
);
--> statement-breakpoint
CREATE INDEX `submission_keys_created_at` ON `submission_keys` (`created_at`);--> statement-breakpoint
ALTER TABLE `career_inquiries` ADD `quarantined_for` text;--> statement-breakpoint
ALTER TABLE `contact_submissions` ADD `quarantined_for` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `headers` text;--> statement-breakpoint
ALTER TABLE `newsletter_subscriptions` ADD `state` text DEFAULT 'pending' NOT NULL;--> statement-breakpoint
ALTER TABLE `newsletter_subscriptions` ADD `confirm_token_hash` text;--> statement-breakpoint
ALTER TABLE `newsletter_subscriptions` ADD `confirm_expires_at` integer;--> statement-breakpoint
ALTER TABLE `newsletter_subscriptions` ADD `unsubscribe_token` text;--> statement-breakpoint
ALTER TABLE `newsletter_subscriptions` ADD `asked` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `newsletter_subscriptions` ADD `asked_since` integer;--> statement-breakpoint
ALTER TABLE `newsletter_subscriptions` ADD `confirmed_at` integer;--> statement-breakpoint
ALTER TABLE `newsletter_subscriptions` ADD `unsubscribed_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `newsletter_subscriptions_confirm_token_hash_unique` ON `newsletter_subscriptions` (`confirm_token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `newsletter_subscriptions_unsubscribe_token_unique` ON `newsletter_subscriptions` (`unsubscribe_token`);