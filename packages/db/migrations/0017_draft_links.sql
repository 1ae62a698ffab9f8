CREATE TABLE `blog_draft_links` (
	`id` text PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`post_id` text NOT NULL,
	`revision_id` text,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`post_id`) REFERENCES `blog_posts`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`revision_id`) REFERENCES `blog_post_revisions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blog_draft_links_token_hash_unique` ON `blog_draft_links` (`token_hash`);--> statement-breakpoint
CREATE INDEX `blog_draft_links_post` ON `blog_draft_links` (`post_id`,`id`);--> statement-breakpoint
CREATE INDEX `blog_draft_links_revision` ON `blog_draft_links` (`revision_id`);--> statement-breakpoint
CREATE INDEX `blog_draft_links_user` ON `blog_draft_links` (`user_id`);--> statement-breakpoint
CREATE INDEX `blog_draft_links_time` ON `blog_draft_links` (`expires_at`);