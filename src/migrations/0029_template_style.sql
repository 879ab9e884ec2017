-- The looks of a team's template; null is the look of its layout.
alter table templates add column style jsonb;
