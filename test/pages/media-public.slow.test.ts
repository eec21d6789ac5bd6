import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { findFault, typeOf } from '../../src/pages/media/containers.ts'
import { openWorld } from '../support/world.ts'

const SECRET = 'SECRET-TEXT-OF-AN-UPLOAD'
const EXIF = { IFD0: { Copyright: SECRET, ImageDescription: SECRET } }
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`
const SIZES = ['small', 'wide', 'card', 'original', 'WIDE', '%00', '..%2foriginal', '']
const RUNS_OF_A_TYPE = 4
/** The widest copies are narrower. */
const MAX_WIDTH = 1_800

test('no byte of an upload is public: each answer is an image that sharp wrote', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()

  async function expectWritten(path: string, range: string, original: Buffer): Promise<number> {
    const headers: Record<string, string> = range === '' ? {} : { range }
    const answer = await fetch(`${world.origin}/media-public/${path}`, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.ok(!bytes.includes(SECRET) && !bytes.equals(original), path)
    if (answer.status === 404) return 404
    assert.equal(answer.status, 200, path)
    const { format, exif, xmp, icc } = await sharp(bytes).metadata()
    assert.equal(`image/${format}`, answer.headers.get('content-type'), path)
    assert.deepEqual([exif, xmp, icc], [undefined, undefined, undefined], path)
    // Nothing follows the image.
    assert.equal(findFault(bytes, typeOf(bytes)!), null, path)
    return 200
  }

  for (const type of ['png', 'jpeg', 'gif', 'webp', 'avif'] as const)
    for (let run = 0; run < RUNS_OF_A_TYPE; run++) {
      const original = await randomImage(type, run === 0 ? MAX_WIDTH : MAX_WIDTH / 4)
      const { status, body } = await owner.post('/media', original, {
        'content-type': `image/${type}`,
      })
      assert.equal(status, 201, JSON.stringify(body))
      const { id } = body.data
      await world.sql`
        insert into media_uses (media_id, workspace_id, type, used_by, is_public)
        values (${id}, ${owner.workspaceId}, 'bio_page', 'bio_1', true)`
      const seen = new Set<number>()
      for (const size of SIZES)
        for (const range of ['', 'bytes=0-10', 'bytes=5-'])
          seen.add(await expectWritten(`${id}?size=${size}`, range, original))
      assert.deepEqual(seen, new Set([200, 404]))
    }
})

/** An image of random size with a secret in its metadata, as far as its type has any. */
function randomImage(
  type: 'png' | 'jpeg' | 'gif' | 'webp' | 'avif',
  maxWidth: number,
): Promise<Buffer> {
  const [width, height] = [maxWidth, maxWidth / 2].map((max) => 1 + Math.floor(Math.random() * max))
  const noise = { type: 'gaussian', mean: Math.random() * 255, sigma: 40 } as const
  const create = { width: width!, height: height!, channels: 3, background: '#888', noise } as const
  // The least effort, since the encoders of the test are not its subject.
  const effort = type === 'avif' || type === 'webp' ? { effort: 0 } : {}
  return sharp({ create }).withExif(EXIF).withXmp(XMP).toFormat(type, effort).toBuffer()
}
