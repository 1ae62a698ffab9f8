CREATE TABLE `blog_history_sizes` (
	`user_id` text PRIMARY KEY NOT NULL,
	`bytes` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);--> statement-breakpoint
INSERT INTO `blog_history_sizes` (`user_id`, `bytes`) SELECT `user_id`, sum(`bytes`) FROM `blog_post_revisions` WHERE `user_id` IS NOT NULL GROUP BY `user_id`;--> statement-breakpoint
CREATE TRIGGER `blog_history_sizes_insert` AFTER INSERT ON `blog_post_revisions` WHEN new.`user_id` IS NOT NULL BEGIN
	INSERT INTO `blog_history_sizes` (`user_id`, `bytes`) VALUES (new.`user_id`, new.`bytes`) ON CONFLICT (`user_id`) DO UPDATE SET `bytes` = `bytes` + excluded.`bytes`;
END;--> statement-breakpoint
CREATE TRIGGER `blog_history_sizes_delete` AFTER DELETE ON `blog_post_revisions` WHEN old.`user_id` IS NOT NULL BEGIN
	UPDATE `blog_history_sizes` SET `bytes` = `bytes` - old.`bytes` WHERE `user_id` = old.`user_id`;
END;--> statement-breakpoint
CREATE TRIGGER `blog_history_sizes_update` AFTER UPDATE OF `user_id` ON `blog_post_revisions` WHEN old.`user_id` IS NOT NULL AND new.`user_id` IS NULL BEGIN
	UPDATE `blog_history_sizes` SET `bytes` = `bytes` - old.`bytes` WHERE `user_id` = old.`user_id`;
END;
