ALTER TABLE `blog_posts` ADD `locked_at` integer;--> statement-breakpoint
ALTER TABLE `blog_posts` ADD `locked_by` text REFERENCES users(id) ON DELETE set null;