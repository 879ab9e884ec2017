-- PostgreSQL parses the check constraints of a table for each statement, a quarter of its work for one
-- ingested block. It keeps the constraints of domains. A domain that gets its constraint after the columns
-- have its type needs no new copy of the table.
create domain block_type as text;
create domain block_status as text;
create domain block_source as text;
create domain body_format as text;
create domain image_size as text;
create domain image_focus as real;

alter table content_blocks
  drop constraint content_blocks_block_type_check,
  drop constraint content_blocks_status_check,
  drop constraint content_blocks_source_check,
  drop constraint content_blocks_body_format_check,
  drop constraint content_blocks_image_size_check,
  drop constraint content_blocks_image_focal_x_check,
  drop constraint content_blocks_image_focal_y_check,
  alter column block_type type block_type,
  alter column status type block_status,
  alter column source type block_source,
  alter column body_format type body_format,
  alter column image_size type image_size,
  alter column image_focal_x type image_focus,
  alter column image_focal_y type image_focus;

alter domain block_type add constraint block_type_check check (value in (
  'general', 'ceo_update', 'team_spotlight', 'new_starter', 'policy_change', 'event_announcement',
  'wins_milestones', 'poll', 'learning_development'
));
alter domain block_status add constraint block_status_check check (value in ('draft', 'ready', 'used'));
alter domain block_source add constraint block_source_check
  check (value in ('manual', 'submission', 'ai_draft', 'agent', 'webhook'));
alter domain body_format add constraint body_format_check check (value in ('html', 'text'));
alter domain image_size add constraint image_size_check check (value in ('small', 'medium', 'full_width'));
alter domain image_focus add constraint image_focus_check check (value between 0 and 1);

-- Without STRICT, PostgreSQL makes the function a part of the statement instead of calling it for each row.
create or replace function block_lexemes(team id, words text[], others text)
  returns tsvector language sql immutable parallel safe as $$
  select array_to_tsvector(words || team::text)
    || case when others = '' then ''::tsvector else word_lexemes(others) end
$$;
