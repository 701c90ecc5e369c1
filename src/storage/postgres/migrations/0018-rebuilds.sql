-- Every node follows the revocation log with a filter of its own; this counts how often an operator had all of them made again.

alter table revocation_state add column rebuilds integer not null default 0;
