import type { BrowserContext } from 'playwright-core'

/** Reports of the content security policy become console messages, which the watcher reads. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  console.error('policy: ' + event.violatedDirective + ' refused ' + event.blockedURI))`

/** Console message of the browser about a heavy read that a busy machine refuses, and that the page repeats. */
const BUSY = /status of (429|503) .*\/v1\/(analytics\/|search\?|links\?)/

type Watching = {
  /** Sites from which the pages may load. */
  origins: readonly string[]
  /** Messages of the console that are brought about, such as refused requests. */
  expected: readonly RegExp[]
  problems: string[]
}

/** Adds to `problems` what goes wrong on any page of a browser profile: console, exceptions, dialogs, other hosts. */
export async function watchPages(
  context: BrowserContext,
  { origins, expected, problems }: Watching,
): Promise<void> {
  await context.addInitScript(REPORT_VIOLATIONS)
  const add = (text: string) => {
    if (![BUSY, ...expected].some((pattern) => pattern.test(text))) problems.push(text)
  }
  context.on('console', (message) => {
    // Hints, which a console hides and which differ from one version of the browser to the next.
    if ((message.type() as string) === 'verbose') return
    add(`${message.type()}: ${message.text()} (${message.location().url})`)
  })
  context.on('weberror', (error) => problems.push(`exception: ${error.error().stack}`))
  context.on('dialog', (dialog) => {
    // The question of the browser before a form with changes is left.
    if (dialog.type() === 'beforeunload') void dialog.accept()
    else {
      problems.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    }
  })
  context.on('request', (request) => {
    const { protocol, origin: target } = new URL(request.url())
    const isOwn = origins.includes(target) || protocol === 'data:' || protocol === 'blob:'
    if (!isOwn) add(`foreign request: ${request.url()}`)
  })
}
