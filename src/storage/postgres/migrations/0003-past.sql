-- What an event left in the memory of its agent and session, and what that memory said about it when it was scored
-- (`Past` in ports.ts). Null for an event that names neither. A score can be made again only with it.

alter table events add column past json, add column agent_key uuid, add column session_key uuid;

-- The traces of one agent or session, newest first: a memory that the cache lost is made again from them. Keys are
-- hashes of fixed size, so nothing that a caller names reaches the index. They stand in `past` as well; columns of their
-- own save parsing it for each index.
create index events_by_agent on events (customer_id, agent_key, scored_at desc) where agent_key is not null;
create index events_by_session on events (customer_id, session_key, scored_at desc) where session_key is not null;
