CREATE TABLE `__new_blog_post_drafts` (
	`user_id` text NOT NULL,
	`id` text NOT NULL,
	`post_id` text,
	`base_version` integer,
	`bytes` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`fields` text NOT NULL,
	PRIMARY KEY(`user_id`, `id`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`post_id`) REFERENCES `blog_posts`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
INSERT INTO `__new_blog_post_drafts`("user_id", "id", "post_id", "base_version", "bytes", "updated_at", "fields") SELECT "user_id", "id", "post_id", "base_version", "bytes", "updated_at", "fields" FROM `blog_post_drafts`;--> statement-breakpoint
DROP TABLE `blog_post_drafts`;--> statement-breakpoint
ALTER TABLE `__new_blog_post_drafts` RENAME TO `blog_post_drafts`;--> statement-breakpoint
CREATE INDEX `blog_post_drafts_post` ON `blog_post_drafts` (`post_id`);--> statement-breakpoint
CREATE INDEX `blog_post_drafts_time` ON `blog_post_drafts` (`updated_at`);