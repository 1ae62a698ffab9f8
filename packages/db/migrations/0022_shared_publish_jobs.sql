ALTER TABLE `publish_jobs` DROP COLUMN `attempts`;--> statement-breakpoint
ALTER TABLE `publish_jobs` DROP COLUMN `next_attempt_at`;--> statement-breakpoint
ALTER TABLE `publish_jobs` DROP COLUMN `last_error`;