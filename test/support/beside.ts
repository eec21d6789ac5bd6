import type { CDPSession, Page } from 'playwright-core'

/** Scripts here are apart from those of the page, and its policy does not forbid them. */
const WORLD = 'beside'

/** The value of a script that runs in a world of its own, which lasts as long as the document. */
export function evaluateBeside<T>(page: Page, expression: string): Promise<T> {
  return withSession(page, async (session) => {
    const { frameTree } = await session.send('Page.getFrameTree')
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName: WORLD,
    })
    return evaluateBy<T>(session, { expression, contextId })
  })
}

/** The value of a script that runs among those of the page, and sees their globals. */
export function evaluateAmong<T>(page: Page, expression: string): Promise<T> {
  return withSession(page, (session) => evaluateBy<T>(session, { expression }))
}

/** Runs a script in that world at the start of each document that the page opens from now on. */
export async function runBeside(page: Page, source: string): Promise<void> {
  // The script stays as long as its session, which ends with the page.
  const session = await page.context().newCDPSession(page)
  await session.send('Page.enable')
  await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: WORLD })
}

/** One for each page, which ends with it. */
const sessions = new WeakMap<Page, Promise<CDPSession>>()

async function withSession<T>(page: Page, use: (session: CDPSession) => Promise<T>): Promise<T> {
  let session = sessions.get(page)
  if (!session) {
    session = page.context().newCDPSession(page)
    sessions.set(page, session)
  }
  return use(await session)
}

async function evaluateBy<T>(
  session: CDPSession,
  script: { expression: string; contextId?: number },
): Promise<T> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    ...script,
    returnByValue: true,
    awaitPromise: true,
  })
  if (exceptionDetails)
    throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value as T
}
