/** Content of the workspace of the demo, an outdoor shop. Ages are in days. */
export const DAYS = 60
/** The page of the shop was published so long ago. */
export const PAGE_DAYS = 40

export const WORKSPACE = 'Alder Outdoor'
export const SHOP = 'https://shop.example.com/'

export type PersonName = 'ada' | 'grace' | 'alan' | 'edsger' | 'barbara'

export const PEOPLE: Readonly<
  Record<
    PersonName,
    { name: string; role: 'owner' | 'admin' | 'member' | 'viewer'; ageDays: number }
  >
> = {
  ada: { name: 'Ada', role: 'owner', ageDays: 61 },
  grace: { name: 'Grace', role: 'admin', ageDays: 60 },
  alan: { name: 'Alan', role: 'member', ageDays: 57 },
  edsger: { name: 'Edsger', role: 'member', ageDays: 41 },
  barbara: { name: 'Barbara', role: 'viewer', ageDays: 26 },
}

export const FOLDERS = ['Shop', 'Print', 'Social', 'Service'] as const

/** In these days the links of the campaign are clicked many times as often. */
export const PEAK = { fromDaysAgo: 20, toDaysAgo: 14, factor: 6 }

export type CampaignKey = 'winter' | 'store' | 'spring'

export const CAMPAIGNS: Readonly<
  Record<CampaignKey, { name: string; ageDays: number; fields: Record<string, unknown> }>
> = {
  winter: {
    name: 'Winter sale',
    ageDays: 34,
    fields: {
      description: 'A week of reduced coats and boots, announced by mail and poster',
      goal: { metric: 'clicks', target: 40_000 },
      utmCampaign: 'winter-sale',
      tags: ['sale'],
    },
  },
  store: {
    name: 'New store in Basel',
    ageDays: 28,
    fields: { goal: { metric: 'uniqueVisitors', target: 5_000 }, utmCampaign: 'basel' },
  },
  spring: {
    name: 'Spring preview',
    ageDays: 3,
    fields: { status: 'draft', utmCampaign: 'spring-preview' },
  },
}

export const TEMPLATES = [
  { name: 'Newsletter', utmSource: 'newsletter', utmMedium: 'email' },
  { name: 'Posters', utmSource: 'poster', utmMedium: 'print' },
  { name: 'Instagram', utmSource: 'instagram', utmMedium: 'social' },
] as const

export type PlannedLink = {
  slug: string
  name: string
  path: string
  by: PersonName
  tags: readonly string[]
  folder: (typeof FOLDERS)[number]
  ageDays: number
  /** Share of the clicks. */
  weight: number
  /** Share of its clicks that come from its QR code. */
  qrShare?: number
  campaign?: CampaignKey
  /** Set some days after its creation; the link has clicks until then. */
  status?: 'paused' | 'archived'
  options?: Record<string, unknown>
}

function link(
  by: PersonName,
  slug: string,
  name: string,
  folder: PlannedLink['folder'],
  [ageDays, weight]: readonly [number, number],
  { tags = [], ...more }: Partial<PlannedLink> = {},
): PlannedLink {
  return { by, slug, name, folder, ageDays, weight, path: slug, tags, ...more }
}

const newsletter = { utmSource: 'newsletter', utmMedium: 'email' }
const instagram = { utmSource: 'instagram', utmMedium: 'social' }
const poster = { utmSource: 'poster', utmMedium: 'print' }

const OF_SHOP: readonly PlannedLink[] = [
  link('grace', 'winter', 'Winter coats', 'Shop', [58, 22], {
    tags: ['sale', 'newsletter'],
    campaign: 'winter',
    options: {
      ...newsletter,
      rules: [
        {
          name: 'German-speaking countries',
          conditions: { country: ['DE', 'AT', 'CH'] },
          destinationUrl: `${SHOP}de/wintermaentel`,
        },
        {
          name: 'France',
          conditions: { country: ['FR'] },
          destinationUrl: `${SHOP}fr/manteaux`,
        },
      ],
    },
  }),
  link('grace', 'boots', 'Winter boots', 'Shop', [52, 12], {
    tags: ['sale', 'footwear'],
    campaign: 'winter',
    options: {
      variants: [
        { name: 'Photo of a walk', weight: 50, destinationUrl: `${SHOP}boots?page=walk` },
        { name: 'Photo of the sole', weight: 50, destinationUrl: `${SHOP}boots?page=sole` },
      ],
    },
  }),
  link('alan', 'gloves', 'Gloves and scarves', 'Shop', [45, 7], {
    tags: ['sale'],
    campaign: 'winter',
  }),
  link('alan', 'tents', 'Tents for two', 'Shop', [56, 6], { tags: ['camping'] }),
  link('alan', 'sleeping-bags', 'Sleeping bags', 'Shop', [55, 5], { tags: ['camping'] }),
  link('edsger', 'stoves', 'Camping stoves', 'Shop', [39, 3], { tags: ['camping'] }),
  link('edsger', 'backpacks', 'Backpacks, 30 litres', 'Shop', [37, 6], { tags: ['hiking'] }),
  link('edsger', 'trail-shoes', 'Trail shoes', 'Shop', [31, 8], { tags: ['footwear', 'hiking'] }),
  link('grace', 'gift', 'Gift cards', 'Shop', [30, 5], { tags: ['sale', 'newsletter'] }),
  link('grace', 'friday', 'Friday offer', 'Shop', [9, 6], {
    tags: ['sale', 'newsletter'],
    options: newsletter,
  }),
  link('grace', 'outlet', 'Outlet', 'Shop', [47, 4], { tags: ['sale'] }),
  link('alan', 'kids', 'Rainwear for children', 'Shop', [43, 5], { tags: ['kids'] }),
  link('alan', 'thermos', 'Bottles and flasks', 'Shop', [24, 2], { tags: ['hiking'] }),
  link('edsger', 'headlamps', 'Headlamps', 'Shop', [18, 3], { tags: ['camping'] }),
  link('grace', 'spring', 'Spring preview', 'Shop', [2, 4], {
    tags: ['newsletter'],
    campaign: 'spring',
    options: newsletter,
  }),
]

const OF_PRINT: readonly PlannedLink[] = [
  link('alan', 'poster', 'Poster at the station', 'Print', [40, 9], {
    tags: ['print', 'sale'],
    qrShare: 0.9,
    campaign: 'winter',
    options: poster,
  }),
  link('alan', 'flyer', 'Flyer in parcels', 'Print', [57, 7], { tags: ['print'], qrShare: 0.8 }),
  link('alan', 'catalog', 'Catalog, back page', 'Print', [50, 5], {
    tags: ['print'],
    qrShare: 0.7,
  }),
  link('alan', 'window', 'Shop window in Basel', 'Print', [27, 6], {
    tags: ['print', 'store'],
    qrShare: 0.95,
    campaign: 'store',
    options: poster,
  }),
  link('edsger', 'care', 'Care label: how to wash down', 'Print', [36, 3], {
    tags: ['print', 'service'],
    qrShare: 0.9,
  }),
  link('alan', 'fair', 'Stand at the travel fair', 'Print', [22, 4], {
    tags: ['print', 'event'],
    qrShare: 0.85,
    status: 'archived',
  }),
  link('edsger', 'map', 'Hiking map, free download', 'Print', [33, 5], {
    tags: ['print', 'hiking'],
    qrShare: 0.6,
  }),
]

const OF_SOCIAL: readonly PlannedLink[] = [
  link('grace', 'bio', 'Profile link', 'Social', [59, 14], {
    tags: ['social'],
    options: instagram,
  }),
  link('grace', 'video', 'How a jacket is made', 'Social', [33, 8], { tags: ['social', 'video'] }),
  link('edsger', 'reel', 'Ten knots in one minute', 'Social', [16, 7], {
    tags: ['social', 'video'],
    options: instagram,
  }),
  link('grace', 'newsletter', 'Sign up for the newsletter', 'Social', [59, 10], {
    tags: ['newsletter', 'social'],
  }),
  link('grace', 'get', 'The app', 'Social', [38, 5], {
    tags: ['social'],
    options: {
      iosDeepLink: 'https://apps.example.com/ios/alder',
      androidDeepLink: 'https://apps.example.com/android/alder',
    },
  }),
  link('edsger', 'playlist', 'Playlist for long walks', 'Social', [29, 3], { tags: ['social'] }),
  link('edsger', 'photo-contest', 'Photo contest', 'Social', [25, 4], {
    tags: ['social', 'event'],
    status: 'paused',
  }),
  link('grace', 'opening', 'Opening day in Basel', 'Social', [26, 5], {
    tags: ['store', 'event'],
    campaign: 'store',
  }),
  link('grace', 'press', 'Press kit', 'Social', [44, 2], { options: { password: 'alpine press' } }),
]

const OF_SERVICE: readonly PlannedLink[] = [
  link('alan', 'stores', 'Stores near you', 'Service', [55, 6], { tags: ['service', 'store'] }),
  link('alan', 'returns', 'Return a parcel', 'Service', [55, 6], { tags: ['service'] }),
  link('alan', 'sizes', 'Size guide', 'Service', [54, 4], { tags: ['service'] }),
  link('edsger', 'repairs', 'Repairs', 'Service', [35, 3], { tags: ['service'] }),
  link('edsger', 'rental', 'Rent instead of buying', 'Service', [21, 4], { tags: ['service'] }),
  link('grace', 'jobs', 'Open positions', 'Service', [48, 3], { tags: ['team'] }),
  link('grace', 'survey', 'Survey after a purchase', 'Service', [20, 3], {
    tags: ['newsletter', 'service'],
    options: newsletter,
  }),
  link('grace', 'track', 'Where is my parcel?', 'Service', [46, 7], { tags: ['service'] }),
]

/** All of them, the oldest first. */
export const LINKS: readonly PlannedLink[] = [
  ...OF_SHOP,
  ...OF_PRINT,
  ...OF_SOCIAL,
  ...OF_SERVICE,
].toSorted((a, b) => b.ageDays - a.ageDays)

/** Links of the last hours; each makes an event that a receiver which is down does not take. */
export const RECENT_LINKS: readonly PlannedLink[] = [
  link('alan', 'lookbook', 'Lookbook', 'Shop', [0, 1], { tags: ['newsletter'] }),
  link('edsger', 'workshop', 'Workshop: waxing boots', 'Service', [0, 1], { tags: ['event'] }),
  link('grace', 'raffle', 'Raffle at the counter', 'Print', [0, 1], {
    tags: ['print'],
    qrShare: 0.9,
  }),
]
