CREATE TABLE `trashed_pictures` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`bytes` integer NOT NULL,
	`trashed_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `trashed_pictures_user` ON `trashed_pictures` (`user_id`,`trashed_at`);--> statement-breakpoint
CREATE INDEX `trashed_pictures_time` ON `trashed_pictures` (`trashed_at`);