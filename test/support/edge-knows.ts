import assert from 'node:assert/strict'
import type { Calls } from './calls.ts'
import { eventually } from './eventually.ts'

const DESTINATION = 'https://example.com/marker'

/**
 * Resolves when the edge keeps what it reads of a link. Whoever asks first may meet a lookup that is
 * not through in time, and what is read before its announcement was heard is dropped again. What is
 * announced comes in order: a link that is made and moved later shows that this one's has come. All
 * of it is asked by HEAD, which is no click.
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
