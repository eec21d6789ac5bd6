-- A link that the inviter copies, beside the link of the mail; and the invitation that a sign-up follows.

-- SHA-256 of its token. Unlike the token of the mail, it does not prove access to the invited mailbox.
alter table invitations add column link_hash bytea unique;
alter table pending_sign_ups
  add column invitation_id text references invitations on delete set null;
create index pending_sign_ups_by_invitation on pending_sign_ups (invitation_id)
  where invitation_id is not null;
