import type { Page } from 'playwright-core'

type Answer = { status: number; json: object }

/**
 * Answers requests of a page in place of the server. Unlike `page.route`, it leaves the browser its cache, so that
 * the next page does not load and compile the same scripts.
 * @param urlPattern with `*` for any text
 * @param answerTo the answer; null sends the request to the server
 */
export async function interceptRequests(
  page: Page,
  urlPattern: string,
  answerTo: (request: { method: string; url: string }) => Answer | null,
): Promise<void> {
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const answer = answerTo(request)
    const sent = answer
      ? session.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: answer.status,
          responseHeaders: [{ name: 'content-type', value: 'application/json' }],
          body: Buffer.from(JSON.stringify(answer.json)).toString('base64'),
        })
      : session.send('Fetch.continueRequest', { requestId })
    // A page that was left takes no answer.
    sent.catch(() => undefined)
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern }] })
}
