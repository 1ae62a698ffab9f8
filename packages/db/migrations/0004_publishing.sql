DROP INDEX `blog_post_old_slugs_post`;--> statement-breakpoint
ALTER TABLE `blog_post_old_slugs` ADD `created_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `blog_post_old_slugs_post` ON `blog_post_old_slugs` (`post_id`,`created_at`);--> statement-breakpoint
ALTER TABLE `blog_posts` ADD `revision` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `publish_jobs` ADD `next_attempt_at` integer DEFAULT 0 NOT NULL;