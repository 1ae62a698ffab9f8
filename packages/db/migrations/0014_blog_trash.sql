ALTER TABLE `blog_posts` ADD `deleted_at` integer;--> statement-breakpoint
ALTER TABLE `blog_posts` ADD `deleted_by` text REFERENCES users(id) ON DELETE set null;--> statement-breakpoint
ALTER TABLE `blog_posts` ADD `deleted_slug` text;--> statement-breakpoint
ALTER TABLE `blog_posts` ADD `deleted_published` integer;--> statement-breakpoint
CREATE INDEX `blog_posts_deleted` ON `blog_posts` (`deleted_at`,`id`) WHERE "blog_posts"."deleted_at" is not null;