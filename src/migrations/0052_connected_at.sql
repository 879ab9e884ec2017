-- When a connection got its token from a person or an approval: reports of the provider from before are late.
alter table connections add column connected_at timestamptz;

update connections c set connected_at = i.installed_at
from app_installations i where i.team_id = c.team_id and i.connection_id = c.id;
