import assert from 'node:assert/strict'
import type { Calls } from './calls.ts'
import { eventually } from './eventually.ts'

const DESTINATION = 'https://example.com/marker'

/**
 * Resolves when the edge has a link in memory. A first request may time out, and a row that is read
 * before its notification arrived is dropped again. Notifications arrive in order: a link that is
 * created and changed later shows that this one's has arrived. HEAD requests are not counted as clicks.
 */
export async function edgeKnows(origin: string, owner: Calls, slug: string): Promise<void> {
  const leadsTo = async (path: string, destination?: string) =>
    eventually(async () => {
      const url = `${origin}/${path}`
      const { status, headers } = await fetch(url, { method: 'HEAD', redirect: 'manual' })
      assert.equal(status, 302)
      if (destination) assert.equal(headers.get('location'), destination)
    })
  const { body } = await owner.post('/links', { name: 'Marker', destinationUrl: DESTINATION })
  await leadsTo(body.data.slug, DESTINATION)
  const moved = `${DESTINATION}/moved`
  await owner.patch(`/links/${body.data.id}`, { destinationUrl: moved })
  await leadsTo(body.data.slug, moved)
  await leadsTo(slug)
}
