-- What a team may use; -1 is unlimited. Newsletters, blocks and AI drafts count per calendar month.
-- Operators may edit these rows and add their own.
create table plans (
  key text primary key,
  name text not null,
  newsletters integer not null default -1 check (newsletters >= -1),
  content_blocks integer not null default -1 check (content_blocks >= -1),
  ai_generations integer not null default -1 check (ai_generations >= -1),
  team_members integer not null default -1 check (team_members >= -1)
);
insert into plans (key, name, ai_generations) values ('self_hosted', 'Self-hosted', 100);

alter table teams
  add column brand_color text not null default '#8b5cf6' check (brand_color ~ '^#[0-9a-f]{6}$'),
  add column newsletter_cadence text not null default 'weekly',
  add column plan_key text not null default 'self_hosted' references plans;

-- One row per person and team; who comes back gets the old row again.
create table members (
  id id primary key,
  team_id id not null references teams,
  email text not null check (email = lower(email)),
  name text not null,
  role text not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  unique (team_id, email)
);

