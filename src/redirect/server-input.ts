import { rmSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import type { Clock } from '../platform/core/clock.ts'
import type { Log } from '../platform/core/log.ts'
import { restoreSender } from '../platform/http/forwarded-requests.ts'
import { openHttpServer } from '../platform/http/http-server.ts'
import type { RateLimits } from '../platform/limits/rate-limits.ts'
import type { ServerSockets } from '../platform/processes/process-messages.ts'
import type { Stores } from '../platform/storage/stores.ts'
import { openLinkAnnouncements } from './links/link-announcements.ts'
import { answerLinkPasswords } from './links/link-passwords.ts'
import { PasswordAttempts } from './links/unlock.ts'

type Deps = { clock: Clock; log: Log; stores: Stores; rateLimits: RateLimits }

/**
 * The server's side of the sockets for redirect processes: their requests, and the changes of links for them.
 * @param channel of the notices that announce changed links
 * @param onSealed called when a segment of a journal may be complete
 */
export async function listenForRedirects(
  { clock, log, stores, rateLimits }: Deps,
  sockets: ServerSockets,
  listener: RequestListener,
  channel: string,
  onSealed: () => void,
) {
  await using opening = new AsyncDisposableStack()
  const announcements = opening.use(await openLinkAnnouncements(sockets.announcements, onSealed))
  stores.notices.subscribe(channel, { onNotice: announcements.announce })
  const path = sockets.requests
  // A killed process leaves its socket behind.
  rmSync(path, { force: true })
  const attempts = new PasswordAttempts({ secrets: stores.secrets, rateLimits, log })
  const options = { host: '', port: 0, path, clock, onArrival: restoreSender }
  opening.use(await openHttpServer(() => answerLinkPasswords(attempts, listener), options))
  const opened = opening.move()
  return {
    // Redirect processes end first, and with them the connections.
    endWithAnswers: () => {},
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
