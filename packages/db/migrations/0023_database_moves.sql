CREATE TABLE `database_moves` (
	`id` text PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`other` text NOT NULL,
	`blocked_until` integer,
	`results` integer DEFAULT 0 NOT NULL
);
