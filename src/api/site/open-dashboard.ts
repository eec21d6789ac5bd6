import { utimes } from 'node:fs/promises'
import type { Log } from '../../platform/core/log.ts'
import { BuildError, ensureBuild } from '../dashboard-build/build.ts'
import { listOthers, toBuildFolder } from '../dashboard-build/builds.ts'
import { DASHBOARD_PAGES, type Dashboard, type DashboardPage } from './dashboard.ts'
import { readBuild, type DashboardFiles } from './dashboard-files.ts'
import type { StaticFile } from './static-file.ts'

const ASSETS = 'assets/'
const LOOK_MS = 1_000

type Deps = {
  checkout: string
  log: Log
  /** Aborted when the process is told to stop, before it closes its parts. */
  stop?: AbortSignal | undefined
}

/** The server answers in every state; a failed build concerns `/app/` alone. */
export async function openDashboard(deps: Deps): Promise<Dashboard & AsyncDisposable> {
  const dashboard = new BuiltDashboard(deps)
  await dashboard.open()
  return dashboard
}

class BuiltDashboard implements Dashboard, AsyncDisposable {
  readonly #deps: Deps
  readonly #stop = new AbortController()
  #building: Promise<void> = Promise.resolve()
  #files: DashboardFiles = new Map()
  #former: DashboardFiles = new Map()
  #state: 'ready' | 'building' | 'failed' = 'building'
  #lookedAtMs = 0
  #isLooking = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async open(): Promise<void> {
    if (!(await this.#load())) this.#building = this.#build()
  }

  find(path: string): StaticFile | undefined {
    return this.#files.get(path) ?? (path.startsWith(ASSETS) ? this.#former.get(path) : undefined)
  }

  getPage(name: DashboardPage): StaticFile | 'building' | 'failed' {
    if (this.#state === 'failed') void this.#look()
    return this.#state === 'ready' ? this.#files.get(name)! : this.#state
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#building
  }

  async #load(): Promise<boolean> {
    const { checkout } = this.#deps
    try {
      const folder = toBuildFolder(checkout)
      const [former] = await listOthers(checkout, folder)
      if (former) this.#former = await readBuild(former).catch(() => this.#former)
      const files = await readBuild(folder)
      if (!DASHBOARD_PAGES.every((name) => files.has(name))) return false
      this.#files = files
      this.#state = 'ready'
      // Tells the next build which one was served before it. A read-only checkout has no next one.
      const now = new Date()
      await utimes(folder, now, now).catch(() => {})
      return true
    } catch {
      return false
    }
  }

  async #build(): Promise<void> {
    const { checkout, log, stop } = this.#deps
    const startedAtMs = Date.now()
    const signal = AbortSignal.any([this.#stop.signal, ...(stop ? [stop] : [])])
    try {
      await ensureBuild(checkout, signal)
      if (!(await this.#load())) throw new BuildError('the build cannot be read')
      log.info({ durationMs: Date.now() - startedAtMs }, 'the dashboard was built')
    } catch (error) {
      if (signal.aborted) return log.info('stopped before the dashboard was built')
      this.#state = 'failed'
      const output = error instanceof BuildError ? error.output : ''
      log.error(
        { reason: (error as Error).message, output },
        'the dashboard could not be built; the API and the redirects are not affected. Correct the cause and run "npm run build" in the folder of Signpost, as its owner',
      )
    }
  }

  /** Finds a build that `npm run build` made beside this process. */
  async #look(): Promise<void> {
    if (this.#isLooking || Date.now() - this.#lookedAtMs < LOOK_MS) return
    this.#isLooking = true
    if (await this.#load()) this.#deps.log.info('the dashboard was built by another process')
    this.#lookedAtMs = Date.now()
    this.#isLooking = false
  }
}
