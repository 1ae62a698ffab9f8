-- Titles and excerpts are indexed with separators (U+200B) around each letter of the scripts without spaces between words; see letters-apart.ts in apps/api, which does the same with texts. The JSON is an array with an element per character.
DROP TRIGGER `blog_search_posts_insert`;--> statement-breakpoint
CREATE TRIGGER `blog_search_posts_insert` AFTER INSERT ON `blog_search_posts` BEGIN
	INSERT INTO `blog_search` (`rowid`, `title`, `excerpt`, `body`) SELECT
		new.`id`,
		CASE WHEN `title` GLOB '*[฀-໿က-႟ក-៿⺀-鿿豈-﫿ｦ-ﾟ𠀀-𿿽]*' THEN (
			SELECT group_concat(iif(`letter` GLOB '[฀-໿က-႟ក-៿⺀-鿿豈-﫿ｦ-ﾟ𠀀-𿿽]', char(8203) || `letter` || char(8203), `letter`), '')
			FROM (SELECT substr(`title`, `key` + 1, 1) AS `letter` FROM json_each('[' || substr(replace(hex(zeroblob(length(`title`))), '00', ',0'), 2) || ']'))
		) ELSE `title` END,
		CASE WHEN `excerpt` GLOB '*[฀-໿က-႟ក-៿⺀-鿿豈-﫿ｦ-ﾟ𠀀-𿿽]*' THEN (
			SELECT group_concat(iif(`letter` GLOB '[฀-໿က-႟ក-៿⺀-鿿豈-﫿ｦ-ﾟ𠀀-𿿽]', char(8203) || `letter` || char(8203), `letter`), '')
			FROM (SELECT substr(`excerpt`, `key` + 1, 1) AS `letter` FROM json_each('[' || substr(replace(hex(zeroblob(length(`excerpt`))), '00', ',0'), 2) || ']'))
		) ELSE `excerpt` END,
		substr(`text`, 1, 50000)
	FROM `blog_posts` JOIN `blog_post_bodies` ON `blog_post_bodies`.`post_id` = `blog_posts`.`id` WHERE `blog_posts`.`id` = new.`post_id`;
END;--> statement-breakpoint
CREATE TABLE `__search_again` AS SELECT `blog_search_posts`.`id`, `post_id` FROM `blog_search_posts` JOIN `blog_posts` ON `blog_posts`.`id` = `post_id` WHERE `title` GLOB '*[฀-໿က-႟ក-៿⺀-鿿豈-﫿ｦ-ﾟ𠀀-𿿽]*' OR `excerpt` GLOB '*[฀-໿က-႟ក-៿⺀-鿿豈-﫿ｦ-ﾟ𠀀-𿿽]*';--> statement-breakpoint
DELETE FROM `blog_search_posts` WHERE `id` IN (SELECT `id` FROM `__search_again`);--> statement-breakpoint
INSERT INTO `blog_search_posts` (`id`, `post_id`) SELECT `id`, `post_id` FROM `__search_again`;--> statement-breakpoint
DROP TABLE `__search_again`;
