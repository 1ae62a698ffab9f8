-- Written by hand: a new table would delete the rows of other tables that refer to posts. A post in the trash gets its slug back. If another post has or had that slug in the meantime, it gets one with its id.
DELETE FROM `blog_post_old_slugs` WHERE EXISTS (SELECT 1 FROM `blog_posts` WHERE `blog_posts`.`slug` = `blog_post_old_slugs`.`slug` AND `blog_posts`.`id` <> `blog_post_old_slugs`.`post_id`);--> statement-breakpoint
UPDATE `blog_posts` SET `slug` = iif(
	EXISTS (SELECT 1 FROM `blog_posts` AS `other` WHERE `other`.`id` <> `blog_posts`.`id` AND (`other`.`slug` = `blog_posts`.`deleted_slug` OR (`other`.`deleted_slug` = `blog_posts`.`deleted_slug` AND `other`.`id` > `blog_posts`.`id`)))
		OR EXISTS (SELECT 1 FROM `blog_post_old_slugs` WHERE `blog_post_old_slugs`.`slug` = `blog_posts`.`deleted_slug` AND `post_id` <> `blog_posts`.`id`),
	rtrim(substr(`deleted_slug`, 1, 60), '-') || '-' || lower(`id`),
	`deleted_slug`
) WHERE `deleted_slug` IS NOT NULL;--> statement-breakpoint
DROP INDEX `blog_posts_unpublisher`;--> statement-breakpoint
DROP INDEX `blog_posts_locker`;--> statement-breakpoint
ALTER TABLE `blog_posts` DROP COLUMN `unpublished_by`;--> statement-breakpoint
ALTER TABLE `blog_posts` DROP COLUMN `locked_at`;--> statement-breakpoint
ALTER TABLE `blog_posts` DROP COLUMN `locked_by`;--> statement-breakpoint
ALTER TABLE `blog_posts` DROP COLUMN `deleted_slug`;--> statement-breakpoint
ALTER TABLE `blog_posts` ADD `dropped_schedule` integer;
