ALTER TABLE `blog_post_revisions` ADD `scheduled_at` integer;--> statement-breakpoint
-- The newest revision of a scheduled post. Earlier ones are not known.
UPDATE `blog_post_revisions`
SET `scheduled_at` = (SELECT `scheduled_at` FROM `blog_posts` WHERE `id` = `blog_post_revisions`.`post_id`)
WHERE (`post_id`, `version`) IN (SELECT `id`, `version` FROM `blog_posts` WHERE `scheduled_at` IS NOT NULL);
