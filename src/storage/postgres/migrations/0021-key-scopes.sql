-- What each API key may do. Keys from before keep what they could do until now: send events, read scores, read and replace the
-- policy. The default serves nodes of the version before while a cluster is updated.
alter table api_keys add scopes text[] not null
  default '{events:write,scores:read,policies:read,policies:write}';
