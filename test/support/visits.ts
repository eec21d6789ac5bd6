import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const CONNECTIONS = 24

/** Visits, each on a connection of its own, until stopped. */
export function startVisits(url: string, connections = CONNECTIONS, pauseMs = 0) {
  const tally = { answered: 0, failed: 0, other: 0 }
  let isOver = false
  const visit = () =>
    new Promise<void>((resolve) => {
      const failed = () => {
        tally.failed++
        resolve()
      }
      get(url, { agent: false }, (answer) => {
        answer.resume()
        answer.once('error', failed).once('end', () => {
          if (answer.statusCode === 302) tally.answered++
          else tally.other++
          resolve()
        })
      }).once('error', failed)
    })
  const loops = Array.from({ length: connections }, async () => {
    while (!isOver) {
      await visit()
      if (pauseMs > 0) await sleep(pauseMs)
    }
  })
  return {
    tally,
    async stop() {
      isOver = true
      await Promise.all(loops)
      return tally
    },
  }
}
