import type { App } from '../src/app/app.ts'
import {
  CAMPAIGNS,
  FOLDERS,
  LINKS,
  PEAK,
  PEOPLE,
  SHOP,
  TEMPLATES,
  WORKSPACE,
  type CampaignKey,
  type PersonName,
  type PlannedLink,
} from './content.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, startOfDay, type DemoClock } from './demo-clock.ts'
import { Person, type Credentials } from './person.ts'

/** A link as the API answered it, with the plan that it was made from. */
export type MadeLink = {
  id: string
  slug: string
  destinationUrl: string
  createdAt: string
  utmSource: string | null
  utmMedium: string | null
  utmCampaign: string | null
  rules: { id: string; conditions: { country?: string[] }; destinationUrl: string }[]
  variants: { id: string; weight: number; destinationUrl: string }[]
  iosDeepLink: string | null
  androidDeepLink: string | null
  plan: PlannedLink
}

/** An action of a member at a time of the past. */
export type Step = { atMs: number; run(): Promise<unknown> }

/** For one demo, which listens on loopback alone. */
const PASSWORD = 'the demo is thrown away'
/** A link with another status than `active` has got it so long after its creation. */
export const STATUS_AFTER_DAYS = 12
const OPENS_MS = 8 * HOUR_MS
/** Links are written in the first eight hours of a day's work. */
const BETWEEN_LINKS_MS = 97 * MINUTE_MS
const WORKDAY_MS = 8 * HOUR_MS

/** The workspace while it is made: steps are planned first, and then taken in order of their times. */
export class WorkspacePlan {
  readonly workspaceId: string
  readonly owner: Credentials
  readonly people: Readonly<Record<PersonName, Person>>
  readonly links: MadeLink[] = []
  /** The page of the shop, once it is published. */
  page: { id: string; slug: string } | null = null
  readonly #app: App
  readonly #time: DemoClock
  readonly #campaigns = new Map<CampaignKey, string>()
  #folders = new Map<string, string>()

  private constructor(app: App, time: DemoClock, workspaceId: string) {
    this.#app = app
    this.#time = time
    this.workspaceId = workspaceId
    this.owner = credentialsOf('ada')
    const place = { origin: app.origin, workspaceId, clock: time.clock }
    const names = Object.keys(PEOPLE) as PersonName[]
    this.people = Object.fromEntries(
      names.map((name) => [name, new Person(place, credentialsOf(name))]),
    ) as Record<PersonName, Person>
  }

  /** Creates the owner and the workspace, which the command line does for an operator as well. */
  static async begin(app: App, time: DemoClock): Promise<WorkspacePlan> {
    time.set(startOfDay(time.nowMs()) - PEOPLE.ada.ageDays * DAY_MS + OPENS_MS)
    const { workspaceId } = await app.bootstrap.create({
      ...credentialsOf('ada'),
      workspace: WORKSPACE,
    })
    return new WorkspacePlan(app, time, workspaceId)
  }

  /** The past up to today. */
  steps(): Step[] {
    const { ada, grace } = this.people
    const others = (Object.keys(PEOPLE) as PersonName[]).filter((name) => name !== 'ada')
    return [
      { atMs: this.#at(PEOPLE.ada.ageDays, HOUR_MS), run: () => this.#prepare() },
      ...others.map((name) => ({
        atMs: this.#at(PEOPLE[name].ageDays),
        run: () => this.#join(name),
      })),
      ...(Object.keys(CAMPAIGNS) as CampaignKey[]).map((key) => ({
        atMs: this.#at(CAMPAIGNS[key].ageDays),
        run: () => this.#addCampaign(key),
      })),
      ...LINKS.map((plan, i) => ({
        atMs: this.#at(plan.ageDays, HOUR_MS + ((i * BETWEEN_LINKS_MS) % WORKDAY_MS)),
        run: () => this.makeLink(plan),
      })),
      ...this.#statusChanges(),
      // The campaign is known when the links of it exist.
      ...this.#joinCampaigns(),
      {
        atMs: this.#at(PEAK.toDaysAgo, 10 * HOUR_MS),
        run: () => this.#patch('winter', { destinationUrl: `${SHOP}winter-last-days` }),
      },
      {
        atMs: this.#at(11, 3 * HOUR_MS),
        run: () => this.#patch('boots', { name: 'Winter boots, last sizes' }, 'grace'),
      },
      {
        atMs: this.#at(30),
        run: () =>
          ada.ask('POST', '/api-keys', { name: 'Till in the store', scopes: ['links:read'] }),
      },
      {
        atMs: this.#at(1, 2 * HOUR_MS),
        run: () =>
          grace.ask('POST', '/invitations', { email: 'linus@example.com', role: 'member' }),
      },
    ]
  }

  campaignId(key: CampaignKey): string {
    return this.#campaigns.get(key)!
  }

  /** Creates a link at the present time of the program. */
  async makeLink(plan: PlannedLink): Promise<MadeLink> {
    const { slug, name, path, tags, folder, campaign, options } = plan
    const campaignId = campaign === undefined ? undefined : this.#campaigns.get(campaign)
    const made = await this.people[plan.by].ask('POST', '/links', {
      slug,
      name,
      destinationUrl: `${SHOP}${path}`,
      tags,
      folderId: this.#folders.get(folder),
      ...(campaignId !== undefined && { campaignId }),
      ...options,
    })
    const link: MadeLink = { ...made, plan }
    this.links.push(link)
    return link
  }

  /** The API keys of the command line are not those of a member at a browser. */
  async #prepare(): Promise<void> {
    const { ada } = this.people
    await ada.ask('PATCH', '/auth/user', { name: PEOPLE.ada.name })
    for (const name of FOLDERS) {
      const { id } = await ada.ask('POST', '/folders', { name })
      this.#folders.set(name, id)
    }
    for (const template of TEMPLATES) await ada.ask('POST', '/utm-templates', template)
    await this.#removeKeys(ada)
  }

  async #join(name: PersonName): Promise<void> {
    const { role } = PEOPLE[name]
    const input = { ...credentialsOf(name), role, workspace: this.workspaceId }
    await this.#app.bootstrap.create(input)
    await this.people[name].ask('PATCH', '/auth/user', { name: PEOPLE[name].name })
    await this.#removeKeys(this.people.ada)
  }

  async #removeKeys(person: Person): Promise<void> {
    for (const { id, name } of await person.ask('GET', '/api-keys'))
      if (name === 'bootstrap') await person.ask('DELETE', `/api-keys/${id}`)
  }

  async #addCampaign(key: CampaignKey): Promise<void> {
    const { name, fields } = CAMPAIGNS[key]
    const { id } = await this.people.grace.ask('POST', '/campaigns', { name, ...fields })
    this.#campaigns.set(key, id)
  }

  #statusChanges(): Step[] {
    return LINKS.filter(({ status }) => status !== undefined).map(
      ({ slug, status, ageDays, by }) => ({
        atMs: this.#at(ageDays - STATUS_AFTER_DAYS, 9 * HOUR_MS),
        run: () => this.#patch(slug, { status }, by),
      }),
    )
  }

  /** Links that are older than their campaign. */
  #joinCampaigns(): Step[] {
    return LINKS.flatMap(({ slug, campaign, ageDays }) => {
      if (campaign === undefined || ageDays < CAMPAIGNS[campaign].ageDays) return []
      const join = () =>
        this.#patch(slug, {
          campaignId: this.#campaigns.get(campaign),
          utmCampaign: CAMPAIGNS[campaign].fields['utmCampaign'],
        })
      return [{ atMs: this.#at(CAMPAIGNS[campaign].ageDays, HOUR_MS), run: join }]
    })
  }

  async #patch(slug: string, changes: object, by: PersonName = 'grace'): Promise<void> {
    const link = this.links.find((each) => each.slug === slug)!
    Object.assign(link, await this.people[by].ask('PATCH', `/links/${link.id}`, changes))
  }

  /** A time of the working day so many days ago. */
  #at(daysAgo: number, afterOpeningMs = 0): number {
    return startOfDay(this.#time.nowMs()) - daysAgo * DAY_MS + OPENS_MS + afterOpeningMs
  }
}

/** Takes the steps in order of their times, each at its time. */
export async function takeSteps(steps: readonly Step[], time: DemoClock): Promise<void> {
  for (const { atMs, run } of steps.toSorted((a, b) => a.atMs - b.atMs)) {
    time.set(Math.min(atMs, time.nowMs()))
    await run()
  }
}

function credentialsOf(name: PersonName): Credentials {
  return { email: `${name}@example.com`, password: PASSWORD }
}
