CREATE TABLE `blog_search_posts` (
	`id` integer PRIMARY KEY NOT NULL,
	`post_id` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `blog_search_posts_post_id_unique` ON `blog_search_posts` (`post_id`);--> statement-breakpoint
ALTER TABLE `blog_post_bodies` ADD `text` text;--> statement-breakpoint
CREATE VIRTUAL TABLE `blog_search` USING fts5(`title`, `excerpt`, `body`, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3');--> statement-breakpoint
INSERT INTO `blog_search` (`blog_search`, `rank`) VALUES ('secure-delete', 1);--> statement-breakpoint
CREATE VIRTUAL TABLE `blog_search_terms` USING fts5vocab('blog_search', 'instance');--> statement-breakpoint
CREATE TRIGGER `blog_search_posts_insert` AFTER INSERT ON `blog_search_posts` BEGIN
	INSERT INTO `blog_search` (`rowid`, `title`, `excerpt`, `body`) SELECT new.`id`, `title`, `excerpt`, substr(`text`, 1, 50000) FROM `blog_posts` JOIN `blog_post_bodies` ON `blog_post_bodies`.`post_id` = `blog_posts`.`id` WHERE `blog_posts`.`id` = new.`post_id`;
END;--> statement-breakpoint
CREATE TRIGGER `blog_search_posts_delete` AFTER DELETE ON `blog_search_posts` BEGIN
	DELETE FROM `blog_search` WHERE `rowid` = old.`id`;
END;--> statement-breakpoint
CREATE TRIGGER `blog_search_body_insert` AFTER INSERT ON `blog_post_bodies` BEGIN
	DELETE FROM `blog_search_posts` WHERE `post_id` = new.`post_id`;
	INSERT INTO `blog_search_posts` (`post_id`) SELECT `id` FROM `blog_posts` JOIN `blog_post_bodies` ON `blog_post_bodies`.`post_id` = `id` WHERE `id` = new.`post_id` AND `published` = 1 AND `text` IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `blog_search_body_update` AFTER UPDATE OF `text` ON `blog_post_bodies` WHEN new.`text` IS NOT old.`text` BEGIN
	DELETE FROM `blog_search_posts` WHERE `post_id` = new.`post_id`;
	INSERT INTO `blog_search_posts` (`post_id`) SELECT `id` FROM `blog_posts` JOIN `blog_post_bodies` ON `blog_post_bodies`.`post_id` = `id` WHERE `id` = new.`post_id` AND `published` = 1 AND `text` IS NOT NULL;
END;--> statement-breakpoint
CREATE TRIGGER `blog_search_body_delete` AFTER DELETE ON `blog_post_bodies` BEGIN
	DELETE FROM `blog_search_posts` WHERE `post_id` = old.`post_id`;
END;--> statement-breakpoint
CREATE TRIGGER `blog_search_post_update` AFTER UPDATE OF `published`, `title`, `excerpt` ON `blog_posts` WHEN new.`published` <> old.`published` OR new.`title` <> old.`title` OR new.`excerpt` <> old.`excerpt` BEGIN
	DELETE FROM `blog_search_posts` WHERE `post_id` = new.`id`;
	INSERT INTO `blog_search_posts` (`post_id`) SELECT `id` FROM `blog_posts` JOIN `blog_post_bodies` ON `blog_post_bodies`.`post_id` = `id` WHERE `id` = new.`id` AND `published` = 1 AND `text` IS NOT NULL;
END;
