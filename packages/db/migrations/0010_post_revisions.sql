CREATE TABLE `blog_post_revisions` (
	`id` text PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL,
	`version` integer NOT NULL,
	`user_id` text,
	`name` text,
	`created_at` integer NOT NULL,
	`bytes` integer NOT NULL,
	`published` integer NOT NULL,
	`title` text NOT NULL,
	`slug` text NOT NULL,
	`excerpt` text NOT NULL,
	`cover_image` text,
	`content` text NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `blog_posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blog_post_revisions_version` ON `blog_post_revisions` (`post_id`,`version`);--> statement-breakpoint
CREATE INDEX `blog_post_revisions_user` ON `blog_post_revisions` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `blog_post_revisions_time` ON `blog_post_revisions` (`created_at`) WHERE "blog_post_revisions"."name" is null;