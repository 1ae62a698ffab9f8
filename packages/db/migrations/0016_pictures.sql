CREATE TABLE `picture_uses` (
	`picture_id` text NOT NULL,
	`revision_id` text,
	`draft_user_id` text,
	`draft_id` text,
	FOREIGN KEY (`picture_id`) REFERENCES `pictures`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`revision_id`) REFERENCES `blog_post_revisions`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`draft_user_id`,`draft_id`) REFERENCES `blog_post_drafts`(`user_id`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `picture_uses_picture` ON `picture_uses` (`picture_id`);--> statement-breakpoint
CREATE INDEX `picture_uses_revision` ON `picture_uses` (`revision_id`);--> statement-breakpoint
CREATE INDEX `picture_uses_draft` ON `picture_uses` (`draft_user_id`,`draft_id`);--> statement-breakpoint
CREATE TABLE `pictures` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`bytes` integer NOT NULL,
	`alt` text NOT NULL,
	`created_at` integer NOT NULL,
	`unused_since` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `pictures_user` ON `pictures` (`user_id`,`created_at`,`id`);