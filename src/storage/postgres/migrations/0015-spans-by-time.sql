-- Which customers had events in a few seconds, without asking each: memories are compared with the events of every second.
create index event_spans_by_time on event_spans (start);
