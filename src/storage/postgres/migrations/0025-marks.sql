-- The newest events of a customer that leave a mark for its other agents and sessions (scoring/history/marks.ts): its shared memory is
-- made from them. Few events have one.

create index events_with_mark on events (customer_id, scored_at desc) where strpos(past, '"mark":{') > 0;
