CREATE TABLE `__new_outbox` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`to` text NOT NULL,
	`reply_to` text,
	`subject` text NOT NULL,
	`letter` text NOT NULL,
	`headers` text,
	`state` text DEFAULT 'queued' NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`next_attempt_at` integer NOT NULL,
	`last_error` text,
	`sent_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
-- What was drawn already is one text from now on, without its signature, which the drawing adds.
INSERT INTO `__new_outbox`("id", "kind", "to", "reply_to", "subject", "letter", "headers", "state", "attempts", "next_attempt_at", "last_error", "sent_at", "created_at") SELECT "id", "kind", "to", "reply_to", "subject", json_object('paragraphs', json_array(iif(instr("text", char(10) || '-- ' || char(10)) > 0, rtrim(substr("text", 1, instr("text", char(10) || '-- ' || char(10)) - 1), char(10)), "text"))), "headers", "state", "attempts", "next_attempt_at", "last_error", "sent_at", "created_at" FROM `outbox` ORDER BY rowid;--> statement-breakpoint
DROP TABLE `outbox`;--> statement-breakpoint
ALTER TABLE `__new_outbox` RENAME TO `outbox`;--> statement-breakpoint
CREATE INDEX `outbox_due` ON `outbox` (`state`,`next_attempt_at`);
