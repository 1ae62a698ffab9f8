CREATE TABLE `publish_hook_changes` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`path` text NOT NULL,
	`message_id` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `publish_hook_changes_waiting` ON `publish_hook_changes` (`path`) WHERE message_id IS NULL;--> statement-breakpoint
CREATE INDEX `publish_hook_changes_message` ON `publish_hook_changes` (`message_id`);