ALTER TABLE `kept_entries` RENAME TO `saved_entries`;--> statement-breakpoint
DROP INDEX `kept_entries_created_at`;--> statement-breakpoint
CREATE INDEX `saved_entries_created_at` ON `saved_entries` (`created_at`);--> statement-breakpoint
ALTER TABLE `submission_keys` RENAME TO `idempotency_keys`;--> statement-breakpoint
DROP INDEX `submission_keys_created_at`;--> statement-breakpoint
CREATE INDEX `idempotency_keys_created_at` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
ALTER TABLE `pending_links` RENAME TO `pending_identity_links`;--> statement-breakpoint
ALTER TABLE `mail_suppressions` RENAME TO `email_suppressions`;--> statement-breakpoint
ALTER TABLE `career_inquiries` RENAME COLUMN `quarantined_for` TO `spam_signals`;--> statement-breakpoint
ALTER TABLE `contact_submissions` RENAME COLUMN `quarantined_for` TO `spam_signals`;--> statement-breakpoint
ALTER TABLE `sessions` RENAME COLUMN `id_hash` TO `token_hash`;--> statement-breakpoint
ALTER TABLE `rate_limits` RENAME COLUMN `points` TO `count`;--> statement-breakpoint
ALTER TABLE `rate_limits` RENAME COLUMN `expire` TO `expires_at`;--> statement-breakpoint
ALTER TABLE `blog_post_bodies` RENAME COLUMN `pipeline` TO `pipeline_version`;--> statement-breakpoint
ALTER TABLE `newsletter_subscriptions` RENAME COLUMN `asked` TO `confirmation_emails_sent`;--> statement-breakpoint
ALTER TABLE `newsletter_subscriptions` DROP COLUMN `asked_since`;--> statement-breakpoint
UPDATE `server_secrets` SET `name` = 'form-tokens' WHERE `name` = 'form-stamps';
