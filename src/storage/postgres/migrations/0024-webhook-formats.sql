-- What an endpoint takes: messages of Weir's own, messages that a chat shows, or mail. The form is made when a message is sent.
alter table webhooks
  add column format text not null default 'standard' check (format in ('standard', 'slack', 'teams', 'email'));
