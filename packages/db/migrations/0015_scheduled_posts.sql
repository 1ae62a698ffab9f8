ALTER TABLE `blog_posts` ADD `scheduled_at` integer;--> statement-breakpoint
ALTER TABLE `blog_posts` ADD `scheduled_by` text REFERENCES users(id) ON DELETE set null;--> statement-breakpoint
CREATE INDEX `blog_posts_scheduled` ON `blog_posts` (`scheduled_at`,`id`) WHERE "blog_posts"."scheduled_at" is not null and "blog_posts"."deleted_at" is null;