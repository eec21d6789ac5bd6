import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  flag,
  idInput,
  idShape,
  integer,
  nullable,
  PageQuery,
  text,
  Timestamp,
  UpdatedAt,
} from '../../platform/resources/shapes.ts'

export const TITLE_MAX_CHARS = 255
const MAX_DAYS = 3_650

const title = text('Title that visitors see.', 'Spring sale', {
  minLength: 1,
  maxLength: TITLE_MAX_CHARS,
})
const days = integer('Number of calendar days that it shows, including today.', 30, {
  minimum: 1,
  maximum: MAX_DAYS,
})
const showConversions = flag('Also shows conversions and their value.', false)
const currency = text(
  'ISO 4217 code of the currency whose conversions make up the value; `usd` by default.',
  'usd',
  { pattern: '^[A-Za-z]{3}$' },
)
const doIndex = flag('Search engines may list its page.', false)

export const Dashboard = named(
  'Dashboard',
  Type.Object({
    id: idShape('dsh', 'Id of the dashboard.'),
    title,
    linkId: nullable(idShape('lnk', 'The link whose clicks are shown; null: it is no link.')),
    campaignId: nullable(
      idShape('cmp', 'The campaign whose links are shown; null: it is no campaign.'),
    ),
    folderId: nullable(
      idShape(
        'fld',
        'The folder whose links are shown; null: it is no folder. Without any of the three the whole workspace is shown.',
      ),
    ),
    days,
    hasPassword: flag('Visitors have to give a password.', false),
    showConversions,
    currency: text('Currency of the value, in lower case.', 'usd'),
    doIndex,
    url: text(
      'Address of its page. It ends in the token, which is a secret.',
      'https://links.example.com/share/4fJ0vQm2XyT7cBn9RkLpZs',
    ),
    createdAt: CreatedAt,
    revokedAt: nullable(
      described(Timestamp, 'When its address stopped working; null while it works.'),
    ),
    updatedAt: UpdatedAt,
  }),
)
export type Dashboard = Static<typeof Dashboard>

const target = (prefix: string, noun: string) =>
  Type.Optional(nullable(idInput(prefix, `The ${noun} to share. At most one of the three is set.`)))

const targets = {
  linkId: target('lnk', 'link'),
  campaignId: target('cmp', 'campaign'),
  folderId: target('fld', 'folder'),
}

const password = Type.Optional(
  nullable(
    text(
      'Password that visitors have to give; null: none. It is stored as a hash and never answered.',
      'sunrise-42',
    ),
  ),
)

export const CreateDashboard = named(
  'CreateDashboard',
  Type.Object(
    {
      title,
      ...targets,
      days: { ...days, default: 30 },
      password,
      showConversions: { ...showConversions, default: false },
      currency: { ...currency, default: 'usd' },
      doIndex: { ...doIndex, default: false },
    },
    { examples: [{ title: 'Spring sale', days: 30 }] },
  ),
)
export type CreateDashboard = Static<typeof CreateDashboard>

export const UpdateDashboard = named(
  'UpdateDashboard',
  described(
    Type.Object({
      title: Type.Optional(title),
      ...targets,
      days: Type.Optional(days),
      password,
      showConversions: Type.Optional(showConversions),
      currency: Type.Optional(currency),
      doIndex: Type.Optional(doIndex),
      revoked: Type.Optional(flag('True: its address stops working. False: it works again.', true)),
    }),
    'The fields to change.',
  ),
)
export type UpdateDashboard = Static<typeof UpdateDashboard>

const filter = (prefix: string, noun: string) =>
  Type.Optional(idInput(prefix, `Only dashboards of this ${noun}.`))

export const ListDashboards = Type.Object({
  ...PageQuery,
  linkId: filter('lnk', 'link'),
  campaignId: filter('cmp', 'campaign'),
  folderId: filter('fld', 'folder'),
})
export type ListDashboards = Static<typeof ListDashboards>
