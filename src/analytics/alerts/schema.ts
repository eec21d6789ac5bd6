import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  flag,
  idInput,
  idShape,
  integer,
  nullable,
  oneOf,
  text,
  Timestamp,
  UpdatedAt,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'

const MAX_RECIPIENTS = 20
export const WATCHES = ['clicks', 'destination'] as const
export type Watch = (typeof WATCHES)[number]
const CLICKS_STATES = ['usual', 'high', 'low'] as const
export type ClicksState = (typeof CLICKS_STATES)[number]

const watches = described(
  Type.Array(oneOf(WATCHES, 'What to watch.', 'clicks'), {
    minItems: 1,
    maxItems: WATCHES.length,
  }),
  '`clicks`: an hour far above or below the usual; `destination`: whether the destination of the link answers.',
)
const recipients = described(
  Type.Array(text('Address of a member.', 'ada@example.com', { minLength: 3, maxLength: 254 }), {
    maxItems: MAX_RECIPIENTS,
  }),
  'Members who get a mail when it begins and when it ends.',
)
const isActive = flag('False: it is not checked.', true)

const fields = {
  id: idShape('alr', 'Id of the alert.'),
  workspaceId: WorkspaceId,
  linkId: nullable(idShape('lnk', 'Id of the link; null: the whole workspace.')),
  linkName: nullable(text('Name of the link.', 'Spring sale')),
  watches,
  recipients,
  isActive,
  clicks: described(
    object('AlertClicks', {
      state: oneOf(CLICKS_STATES, 'Whether the last judged hour was usual.', 'usual'),
      since: nullable(described(Timestamp, 'Start of the first hour of this state.')),
      count: nullable(integer('Human clicks of the last judged hour.', 12)),
      usual: nullable(integer('The usual number at that hour; null: not known yet.', 10)),
    }),
    'Always `usual` unless clicks are watched.',
  ),
  destination: described(
    object('AlertDestination', {
      state: oneOf(['ok', 'failing'], '`failing`: two checks in a row failed.', 'ok'),
      since: nullable(described(Timestamp, 'Since when it is in this state.')),
    }),
    'Always `ok` unless the destination is watched.',
  ),
  checkedAt: nullable(described(Timestamp, 'When it was last checked.')),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
}

export const Alert = object('Alert', fields)
export type Alert = Static<typeof Alert>

const changeable = {
  watches: Type.Optional(watches),
  recipients: Type.Optional(recipients),
  isActive: Type.Optional(isActive),
}

export const CreateAlert = object('CreateAlert', {
  ...changeable,
  linkId: Type.Optional(
    nullable(idInput('lnk', 'Id of the link; null or absent: the whole workspace.')),
  ),
  watches,
})
export type CreateAlert = Static<typeof CreateAlert>

export const UpdateAlert = named(
  'UpdateAlert',
  described(Type.Object(changeable), 'The fields to change.'),
)
export type UpdateAlert = Static<typeof UpdateAlert>
