alter table events
  add column category text not null default 'corporate',
  add column description text,
  add column suggested_content text,
  add column recurs boolean not null default false,
  add column created_at timestamptz not null default now();
alter table events
  alter column category drop default,
  alter column created_at drop default;
