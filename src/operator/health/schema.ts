import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import { flag, integer, nullable, oneOf, text, Timestamp } from '../../platform/resources/shapes.ts'

const bytes = (description: string) => nullable(integer(description, 1_048_576))

export const ServerHealth = object('ServerHealth', {
  version: text('Version of Signpost.', '1.0.0'),
  node: text('Version of Node.js.', 'v24.0.0'),
  startedAt: described(Timestamp, 'When the process that answers started.'),
  checks: described(
    Type.Array(
      object('ServerCheck', {
        name: text('A check of `/ready`.', 'postgres'),
        isOk: flag('Whether it succeeds.', true),
      }),
    ),
    'The checks of `/ready` of the process that answers.',
  ),
  mail: described(
    object('ServerMail', {
      transport: oneOf(
        ['smtp', 'outbox'],
        '`outbox`: files in DATA_DIR, without SMTP_URL.',
        'smtp',
      ),
      waiting: integer('Mails that the process that answers has yet to send.', 0),
      sent: integer('Mails that it has sent since it started.', 120),
      failed: integer('Mails that it could not send since it started.', 0),
      lastFailure: described(
        nullable(
          object('ServerMailFailure', {
            at: described(Timestamp, 'When the mail was written.'),
            reason: text('Why it was not sent.', 'connect ECONNREFUSED'),
          }),
        ),
        'The last one that it could not send.',
      ),
    }),
    'Mails of the process that answers.',
  ),
  deliveries: described(
    object('ServerDeliveries', {
      queued: integer('Webhook deliveries that have not ended; 100000 stands for any more.', 0),
      due: integer('Of these, how many wait for no later attempt.', 0),
      oldestDueAt: nullable(described(Timestamp, 'Since when the first of them is due.')),
    }),
    'Webhook deliveries of all workspaces; those to paused endpoints count, too.',
  ),
  sweeps: described(
    Type.Array(
      object('ServerSweep', {
        name: text('Name of the work that is repeated.', 'domain-checks'),
        succeededAt: nullable(
          described(Timestamp, 'When it last succeeded; null: not since its process started.'),
        ),
        isRunning: flag('Whether a process holds it.', true),
      }),
    ),
    'Work that is repeated without a user.',
  ),
  journals: described(
    Type.Array(
      object('ServerJournal', {
        id: text('Id of the click journal.', 'jrn_1'),
        shippedBefore: described(Timestamp, 'Clicks before this time are stored.'),
        reportedAt: described(Timestamp, 'When its process last reported.'),
        isSilent: flag('True: its process no longer reports, and its clicks are missing.', false),
      }),
    ),
    'Click journals with clicks that are not stored yet.',
  ),
  storage: described(
    object('ServerStorage', {
      diskFreeBytes: bytes('Free bytes on the disk of DATA_DIR.'),
      diskTotalBytes: bytes('All bytes of it.'),
      postgresBytes: bytes('Size of the PostgreSQL database.'),
      clickhouseBytes: bytes('Size of the tables in ClickHouse; null while it is away.'),
      mediaBytes: bytes('Size of the uploaded images, which PostgreSQL holds.'),
    }),
    'Sizes; null for what cannot be measured.',
  ),
})
export type ServerHealth = Static<typeof ServerHealth>
