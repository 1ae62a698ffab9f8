CREATE TABLE `publish_log` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`path` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
DROP TABLE `publish_hook_changes`;--> statement-breakpoint
DROP TABLE `publish_jobs`;