CREATE TABLE `author_publishes` (
	`user_id` text PRIMARY KEY NOT NULL,
	`window_start` integer NOT NULL,
	`count` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `blog_post_bodies` (
	`post_id` text PRIMARY KEY NOT NULL,
	`pipeline` integer NOT NULL,
	`problem` text,
	`html` text,
	FOREIGN KEY (`post_id`) REFERENCES `blog_posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_post_bodies_problem` ON `blog_post_bodies` (`post_id`) WHERE "blog_post_bodies"."problem" is not null;