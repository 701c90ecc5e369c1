-- The texts of each version of the rules, to which assessments refer (records/kept-assessment.ts). Rows stay for as long as there
-- may be an event of their version: some tens of kilobytes for each version that ever scored.

create table rule_texts (
  rule_set_version text collate "C" primary key,
  -- JSON.
  texts text not null
);
