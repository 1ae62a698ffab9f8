CREATE TABLE `blog_post_tags` (
	`tag` text NOT NULL,
	`created_at` integer NOT NULL,
	`post_id` text NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`tag`, `created_at`, `post_id`),
	FOREIGN KEY (`post_id`) REFERENCES `blog_posts`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blog_post_tags_post` ON `blog_post_tags` (`post_id`);--> statement-breakpoint
ALTER TABLE `blog_post_revisions` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `blog_posts` ADD `tags` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
CREATE TRIGGER `blog_post_tags_insert` AFTER INSERT ON `blog_posts` WHEN new.`published` = 1 BEGIN
	INSERT INTO `blog_post_tags` (`tag`, `created_at`, `post_id`, `name`) SELECT `value` ->> 'slug', new.`created_at`, new.`id`, `value` ->> 'name' FROM json_each(new.`tags`);
END;--> statement-breakpoint
CREATE TRIGGER `blog_post_tags_update` AFTER UPDATE OF `published`, `tags`, `created_at` ON `blog_posts` WHEN new.`published` <> old.`published` OR new.`tags` <> old.`tags` OR new.`created_at` <> old.`created_at` BEGIN
	DELETE FROM `blog_post_tags` WHERE `post_id` = new.`id`;
	INSERT INTO `blog_post_tags` (`tag`, `created_at`, `post_id`, `name`) SELECT `value` ->> 'slug', new.`created_at`, new.`id`, `value` ->> 'name' FROM json_each(new.`tags`) WHERE new.`published` = 1;
END;
