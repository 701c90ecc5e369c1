-- Lists by state are answered from this index alone: it has `expires_at`, which ends a hold by the clock, and `risk_level`.
-- Ascending, as holds come in: its pages are full then, where one customer has most of them.
drop index holds_by_state;
create index holds_by_state on holds (customer_id, state, held_at, event_id, expires_at) include (risk_level);

-- Vacuum comes by early, because only then a list can be read from an index alone.
alter table holds set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
