import sharp from 'sharp'
import { PAGE_DAYS, SHOP } from './content.ts'
import { DAY_MS, HOUR_MS, startOfDay, type DemoClock } from './demo-clock.ts'
import type { Random } from './random.ts'
import type { MadeLink, Step, WorkspacePlan } from './workspace.ts'

/** Where a mountain ends, and its colors: the images of the shop are drawn, not photographed. */
const IMAGES = {
  'alder-logo.png': { peak: 90, sky: '#f2c230', ground: '#1d4a4f' },
  'winter-coats.png': { peak: 60, sky: '#cfe3ec', ground: '#37566b' },
  'trail-shoes.png': { peak: 150, sky: '#f3d9b1', ground: '#7a4b2a' },
  'tents.png': { peak: 120, sky: '#26324d', ground: '#0f1726' },
} as const

const SALES_PER_DAY = 5
const SALE_DAYS = 30
const MAX_CONVERSIONS = 100
const [LEAST_CENTS, MOST_CENTS] = [1_900, 24_900]
const LEAD_SHARE = 0.3

/** What the workspace has besides links: images, a page, a domain, shared dashboards and reports. */
export function resourceSteps(plan: WorkspacePlan, time: DemoClock): Step[] {
  const { ada, grace, alan } = plan.people
  const today = startOfDay(time.nowMs())
  const at = (daysAgo: number, run: Step['run']): Step => ({
    atMs: today - daysAgo * DAY_MS + 10 * HOUR_MS,
    run,
  })
  return [
    at(PAGE_DAYS, () => publishPage(plan)),
    at(21, () => ada.ask('POST', '/domains', { hostname: 'go.alder-outdoor.example' })),
    at(33, () =>
      grace.ask('POST', '/dashboards', {
        title: 'Winter sale, for the agency',
        campaignId: plan.campaignId('winter'),
        days: 30,
      }),
    ),
    at(8, () => grace.ask('POST', '/dashboards', { title: 'Alder Outdoor', days: 90 })),
    at(15, () =>
      grace.ask('POST', '/alerts', { watches: ['clicks'], recipients: ['grace@example.com'] }),
    ),
    at(14, () =>
      grace.ask('POST', '/alerts', { watches: ['clicks'], linkId: linkOf(plan, 'winter') }),
    ),
    at(1, () =>
      alan.ask('POST', '/reports', { name: 'Links of the month', type: 'links', format: 'xlsx' }),
    ),
    at(1, () =>
      ada.ask('POST', '/reports', {
        name: 'Numbers for the meeting',
        type: 'summary',
        format: 'pdf',
        schedule: { frequency: 'weekly', weekday: 1, hour: 8, timezone: 'Europe/Zurich' },
      }),
    ),
  ]
}

async function publishPage(plan: WorkspacePlan): Promise<void> {
  const { grace } = plan.people
  const images = new Map<string, string>()
  for (const [name, look] of Object.entries(IMAGES)) {
    const { id } = await grace.upload('/media', name, await draw(look))
    images.set(name, id)
  }
  plan.page = await grace.ask('POST', '/bio-pages', {
    slug: 'alder',
    title: 'Alder Outdoor',
    description: 'Coats, boots and tents for every weather. Basel and online.',
    avatarMediaId: images.get('alder-logo.png'),
    theme: { preset: 'ocean' },
    status: 'published',
    socials: [
      { platform: 'instagram', url: 'https://instagram.com/example' },
      { platform: 'website', url: SHOP },
    ],
    blocks: [
      { type: 'header', title: 'New in the shop' },
      { type: 'image', title: 'Coats in the snow', mediaId: images.get('winter-coats.png') },
      { type: 'link', title: 'Winter coats', linkId: linkOf(plan, 'winter'), icon: '🧥' },
      { type: 'link', title: 'Tents for two', linkId: linkOf(plan, 'tents'), icon: '⛺' },
      { type: 'link', title: 'Size guide', linkId: linkOf(plan, 'sizes') },
    ],
  })
}

function linkOf({ links }: WorkspacePlan, slug: string): string {
  return links.find((each) => each.slug === slug)!.id
}

function draw({ peak, sky, ground }: { peak: number; sky: string; ground: string }) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="0 0 400 300">
    <rect width="400" height="300" fill="${sky}"/>
    <path d="M0 260 120 ${peak} 210 230 280 ${peak + 40} 400 250V300H0Z" fill="${ground}"/></svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

/** Reports leads and sales of the last days, as the server of the shop does. */
export async function reportSales(
  { people, links }: WorkspacePlan,
  nowMs: number,
  random: Random,
): Promise<void> {
  const sold = links.filter(({ plan }) => plan.folder === 'Shop' && plan.ageDays > SALE_DAYS)
  const conversions = Array.from({ length: SALES_PER_DAY * SALE_DAYS }, (_, index) =>
    toConversion(random.pick(sold.map((link) => [link, link.plan.weight] as const)), index),
  )
  function toConversion({ id: linkId }: MadeLink, index: number) {
    const occurredAt = new Date(nowMs - HOUR_MS - random.below(SALE_DAYS * DAY_MS)).toISOString()
    const common = { linkId, occurredAt, currency: 'eur' }
    if (random.next() < LEAD_SHARE)
      return { ...common, eventName: 'Newsletter', type: 'lead', eventId: `lead-${index}` }
    const value = LEAST_CENTS + random.below((MOST_CENTS - LEAST_CENTS) / 100) * 100
    return { ...common, eventName: 'Order', type: 'sale', eventId: `order-${index}`, value }
  }
  for (let from = 0; from < conversions.length; from += MAX_CONVERSIONS)
    await people.ada.ask('POST', '/conversions', conversions.slice(from, from + MAX_CONVERSIONS))
}
