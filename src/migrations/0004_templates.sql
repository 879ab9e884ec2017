-- The templates a team made; those that ship with the service live in the code.
create table templates (
  team_id id not null references teams,
  slug text collate "C" not null check (slug not in ('clean', 'bold', 'digest')),
  name text not null,
  category text not null,
  description text not null,
  premium boolean not null,
  base text not null check (base in ('clean', 'bold', 'digest')),
  sections jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (team_id, slug)
);
