-- A team can require that a second person approves a newsletter before it is ready.
alter table teams add column requires_approval boolean not null default false;
alter table newsletters
  -- The member who changed it last; null for an API key or the service.
  add column changed_by id,
  add column approved_by id,
  add column approved_at timestamptz,
  add check ((approved_by is null) = (approved_at is null));

-- An approval is about a content: it ends when anything but the status changes, whoever changes it. A
-- ready newsletter of a team that requires an approval is in progress again then.
create function end_approval() returns trigger language plpgsql as $$
begin
  if new.approved_by is distinct from old.approved_by or new.version = old.version then
    return new;
  end if;
  if new.status <> old.status and new.status in ('ready', 'sent')
    and to_jsonb(new) - 'status' - 'version' - 'updated_at' - 'sent_at' - 'sent_html' - 'sent_text' - 'changed_by' - 'search'
      = to_jsonb(old) - 'status' - 'version' - 'updated_at' - 'sent_at' - 'sent_html' - 'sent_text' - 'changed_by' - 'search' then
    return new;
  end if;
  new.approved_by := null;
  new.approved_at := null;
  if new.status = 'ready' and (select requires_approval from teams where id = new.team_id) then
    new.status := 'in_progress';
  end if;
  return new;
end
$$;

create trigger end_approval before update on newsletters
  for each row when (old.approved_by is not null) execute function end_approval();

-- When the drafts of recurring newsletters are created, and when editors are reminded of a planned date.
create table newsletter_schedules (
  team_id id primary key references teams (id),
  is_recurring boolean not null default false,
  -- ISO 8601: 1 is Monday.
  weekday smallint not null default 5 check (weekday between 1 and 7),
  -- The hour in the time zone at which drafts are created and reminders are sent.
  hour smallint not null default 9 check (hour between 0 and 23),
  time_zone text not null default 'UTC' check (length(time_zone) between 1 and 64),
  -- How many days before the planned date the draft is created.
  lead_days smallint not null default 3 check (lead_days between 0 and 28),
  -- How many days before the planned date editors are reminded; null: never.
  reminder_days smallint check (reminder_days between 0 and 14),
  -- The first planned date; every second week counts from it.
  anchor_date date not null,
  updated_at timestamptz not null
);

-- The planned dates whose draft was created, so that each is created once.
create table newsletter_slots (
  team_id id not null references teams (id),
  planned_date date not null,
  newsletter_id id not null,
  created_at timestamptz not null,
  primary key (team_id, planned_date)
);
create index on newsletter_slots (created_at);

-- The planned dates of which editors were reminded, so that each reminder is sent once.
create table newsletter_reminders (
  team_id id not null references teams (id),
  newsletter_id id not null,
  planned_date date not null,
  created_at timestamptz not null,
  primary key (team_id, newsletter_id, planned_date)
);
create index on newsletter_reminders (created_at);
