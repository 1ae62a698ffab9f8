CREATE TABLE `account_deletions` (
	`user_id` text PRIMARY KEY NOT NULL,
	`posts` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_posts_unpublisher` ON `blog_posts` (`unpublished_by`) WHERE "blog_posts"."unpublished_by" is not null;--> statement-breakpoint
CREATE INDEX `blog_posts_deleter` ON `blog_posts` (`deleted_by`) WHERE "blog_posts"."deleted_by" is not null;--> statement-breakpoint
CREATE INDEX `blog_posts_scheduler` ON `blog_posts` (`scheduled_by`) WHERE "blog_posts"."scheduled_by" is not null;--> statement-breakpoint
CREATE INDEX `blog_posts_locker` ON `blog_posts` (`locked_by`) WHERE "blog_posts"."locked_by" is not null;--> statement-breakpoint
INSERT INTO `blog_search` (`blog_search`, `rank`) VALUES ('secure-delete', 0);
