-- Whether visitors who ask not to be tracked (Sec-GPC, DNT) are counted without a pseudonym.
alter table workspaces add column honors_privacy_signals boolean not null default true;
