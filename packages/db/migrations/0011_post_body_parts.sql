-- The bodies are a cache, of an older pipeline: they are rendered again. As a new table, its
-- longest column stays the last one.
DROP TABLE `blog_post_bodies`;--> statement-breakpoint
CREATE TABLE `blog_post_bodies` (
	`post_id` text PRIMARY KEY NOT NULL,
	`pipeline_version` integer NOT NULL,
	`problem` text,
	`words` integer NOT NULL,
	`is_rich` integer NOT NULL,
	`outline_html` text,
	`html` text,
	FOREIGN KEY (`post_id`) REFERENCES `blog_posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_post_bodies_problem` ON `blog_post_bodies` (`post_id`) WHERE "blog_post_bodies"."problem" is not null;
