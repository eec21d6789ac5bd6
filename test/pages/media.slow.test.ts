import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import sharp from 'sharp'
import { blackPng, chunk, freshImage } from '../support/images.ts'
import { eventually } from '../support/eventually.ts'
import { toFormBody } from '../support/forms.ts'
import { openWorld, type Member } from '../support/world.ts'

const PNG = { 'content-type': 'image/png' }
const BYTES = { 'content-type': 'application/octet-stream' }

test('media', { concurrency: false }, async (t) => {
  const world = await openWorld(t)
  const upload = (member: Member, bytes: Buffer, headers = BYTES) =>
    member.post('/media', bytes, headers)
  const add = async (member: Member, bytes = freshImage()) => {
    const { status, body } = await upload(member, bytes)
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  }
  const contentOf = (member: Member, id: string, headers: Record<string, string> = {}) =>
    fetch(`${world.origin}/v1/media/${id}/content`, {
      headers: { authorization: `Bearer ${member.apiKey}`, ...headers },
    })

  await t.test(
    'an image is uploaded as a form, read byte for byte, listed and deleted',
    async () => {
      const owner = await world.member()
      const bytes = await photo().jpeg().toBuffer()
      const form = await toFormBody({ file: bytes }, 'text/plain')
      const { status, body } = await owner.post('/media', form.bytes, {
        'content-type': form.contentType,
      })
      assert.equal(status, 201, JSON.stringify(body))
      const { data } = body
      assert.deepEqual(data, {
        id: data.id,
        workspaceId: owner.workspaceId,
        filename: 'file',
        contentType: 'image/jpeg',
        size: bytes.length,
        width: 60,
        height: 40,
        frames: 1,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        url: data.url,
        usedBy: [],
        createdAt: data.createdAt,
      })
      const content = await contentOf(owner, data.id)
      assert.deepEqual(Buffer.from(await content.arrayBuffer()), bytes)
      assert.equal(content.headers.get('etag'), `"${data.sha256}"`)
      assert.match(content.headers.get('cache-control')!, /immutable/)
      assert.match(content.headers.get('content-security-policy')!, /sandbox/)
      assert.equal(content.headers.get('x-content-type-options'), 'nosniff')
      const known = await contentOf(owner, data.id, { 'if-none-match': `"${data.sha256}"` })
      assert.equal(known.status, 304)
      const listed = (await owner.get('/media?search=FIL')).body
      assert.deepEqual(listed.data, [data])
      assert.deepEqual([listed.meta.total, listed.meta.usedBytes], [1, bytes.length])
      assert.equal((await owner.delete(`/media/${data.id}`)).status, 204)
      assert.equal((await contentOf(owner, data.id)).status, 404)
    },
  )

  await t.test(
    'a part of an image is read by its range, and a wrong range is refused',
    async () => {
      const owner = await world.member()
      const bytes = await noise(600)
      const { id, sha256 } = await add(owner, bytes)
      const size = bytes.length
      assert.ok(size > 1_000_000)
      const ask = async (range: string, headers: Record<string, string> = {}) => {
        const answer = await contentOf(owner, id, { range, ...headers })
        return { answer, got: Buffer.from(await answer.arrayBuffer()) }
      }
      for (const [range, from, to] of [
        ['bytes=0-0', 0, 1],
        ['bytes=100-600000', 100, 600_001],
        ['bytes=-5', size - 5, size],
        [`bytes=-${size * 2}`, 0, size],
        ['bytes=1000000-', 1_000_000, size],
        [`bytes=7-${size * 2}`, 7, size],
      ] as const)
        for (const condition of [{}, { 'if-range': `"${sha256}"` }]) {
          const { answer, got } = await ask(range, condition)
          assert.equal(answer.status, 206, range)
          assert.equal(answer.headers.get('content-range'), `bytes ${from}-${to - 1}/${size}`)
          assert.equal(answer.headers.get('content-length'), String(to - from))
          assert.ok(got.equals(bytes.subarray(from, to)), range)
        }
      const whole: [string, Record<string, string>][] = [
        ['bytes=0-5', { 'if-range': '"other"' }],
        ['bytes=0-5', { 'if-range': `W/"${sha256}"` }],
        ['bytes=0-5', { 'if-range': 'Mon, 23 Nov 2026 12:00:00 GMT' }],
        ['bytes=0-5,9-12', {}],
        ['bytes=9-3', {}],
        ['lines=0-5', {}],
        ['bytes=-', {}],
      ]
      for (const [range, headers] of whole) {
        const { answer, got } = await ask(range, headers)
        assert.equal(answer.status, 200, range)
        assert.equal(answer.headers.get('accept-ranges'), 'bytes')
        assert.ok(got.equals(bytes), range)
      }
      for (const range of [`bytes=${size}-`, 'bytes=-0', `bytes=${size * 2}-${size * 3}`]) {
        const { answer, got } = await ask(range)
        assert.equal(answer.status, 416, range)
        assert.equal(answer.headers.get('content-range'), `bytes */${size}`)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        assert.equal(JSON.parse(got.toString()).error.code, 'RANGE_NOT_SATISFIABLE')
      }
      const head = await fetch(`${world.origin}/v1/media/${id}/content`, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${owner.apiKey}`, range: 'bytes=0-5' },
      })
      assert.deepEqual([head.status, head.headers.get('content-length')], [200, String(size)])
    },
  )

  await t.test('each type is known by its bytes, not by its name or header', async () => {
    const owner = await world.member()
    for (const type of ['png', 'jpeg', 'gif', 'webp', 'avif'] as const) {
      const { data } = (await upload(owner, await photo().toFormat(type).toBuffer(), PNG)).body
      assert.deepEqual([data.contentType, data.width], [`image/${type}`, 60])
    }
    const frames = await animation(3)
    const { data } = (await upload(owner, frames)).body
    assert.deepEqual([data.frames, data.width, data.height], [3, 8, 6])
    const turned = await photo().withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const seen = (await upload(owner, turned)).body.data
    assert.deepEqual([seen.width, seen.height], [40, 60])
  })

  await t.test('the same bytes are one image, also from parallel requests', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const bytes = freshImage()
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(owner, bytes)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ body }) => body.data.id)).size, 1)
    assert.equal((await owner.get('/media')).body.meta.total, 1)
    const foreign = await add(other, bytes)
    assert.notEqual(foreign.id, answers[0]!.body.data.id)
    assert.equal((await contentOf(owner, foreign.id)).status, 403)
  })

  await t.test('what is no image of these types is refused with 415', async () => {
    const owner = await world.member()
    const svg = Buffer.from(
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    )
    const html = Buffer.from('<!doctype html><script>alert(1)</script>')
    const pdf = Buffer.from('%PDF-1.4\n1 0 obj\n')
    for (const bytes of [svg, html, pdf, Buffer.from('II*\0tiff'), Buffer.from('x')])
      assert.equal((await upload(owner, bytes, PNG)).status, 415, bytes.toString('latin1', 0, 8))
    assert.equal((await upload(owner, svg, { 'content-type': 'image/svg+xml' })).status, 415)
    assert.equal((await owner.get('/media')).body.meta.total, 0)
  })

  await t.test(
    'damaged, oversized and double-faced files are refused, and no row is left',
    async () => {
      const owner = await world.member()
      const png = freshImage()
      const [jpeg, gif, webp] = await Promise.all(
        (['jpeg', 'gif', 'webp'] as const).map((type) => photo(600).toFormat(type).toBuffer()),
      )
      const script = Buffer.from('<script>alert(document.domain)</script>')
      const commented = Buffer.concat([
        png.subarray(0, 33),
        chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script])),
        png.subarray(33),
      ])
      const files: Record<string, Buffer> = {
        'no bytes': Buffer.alloc(0),
        'a PNG without its end': png.subarray(0, png.length - 12),
        'a JPEG cut in its middle': jpeg!.subarray(0, jpeg!.length / 2),
        'a JPEG cut in its middle with an end': Buffer.concat([
          jpeg!.subarray(0, jpeg!.length / 2),
          Buffer.from('ffd9', 'hex'),
        ]),
        'a GIF cut in its middle': gif!.subarray(0, gif!.length / 2),
        'a WebP cut in its middle': webp!.subarray(0, webp!.length / 2),
        'a PNG with a page behind it': Buffer.concat([png, script]),
        'a PNG with a page within it': commented,
        'a JPEG with an archive behind it': Buffer.concat([
          jpeg!,
          Buffer.from('PK\x03\x04archive'),
        ]),
        '256 megapixels in a small file': blackPng(16_000, 16_000),
        '101 frames': await animation(101),
      }
      for (const [name, bytes] of Object.entries(files)) {
        const { status, body } = await upload(owner, bytes)
        assert.equal(status, 400, `${name}: ${JSON.stringify(body)}`)
      }
      assert.equal(
        (await upload(owner, Buffer.concat([png, Buffer.alloc(5 * 1024 * 1024)]))).status,
        413,
      )
      assert.equal((await upload(owner, Buffer.alloc(6 * 1024 * 1024))).status, 413)
      assert.deepEqual((await owner.get('/media')).body.meta.total, 0)
      // Phones store a second picture behind the first.
      await add(owner, Buffer.concat([jpeg!, await photo(30).jpeg().toBuffer()]))
    },
  )

  await t.test('a form with two files or without an end is refused', async () => {
    const owner = await world.member()
    const two = await toFormBody({ file: freshImage(), other: freshImage() })
    const type = { 'content-type': two.contentType }
    assert.equal((await owner.post('/media', two.bytes, type)).status, 400)
    const one = await toFormBody({ file: freshImage() })
    for (const cutBytes of [10, 60, one.bytes.length - 200]) {
      const cut = one.bytes.subarray(0, one.bytes.length - cutBytes)
      const answer = await owner.post('/media', cut, { 'content-type': one.contentType })
      assert.equal(answer.status, 400, `without the last ${cutBytes} bytes: ${answer.text}`)
    }
    assert.equal((await owner.get('/media')).body.meta.total, 0)
  })

  await t.test('a name is made safe', async () => {
    const owner = await world.member()
    const boundary = 'boundary-of-this-form'
    for (const [given, kept] of [
      [`filename="..\\..\\x%22y.png"`, 'x_22y.png'],
      [`filename="\u202egnp.exe"`, 'gnp.exe'],
      [`filename="日本.png"`, '日本.png'],
      [`filename=""`, 'image.png'],
      [`filename="..\\x\ty\x7f.png"`, 'x_y_.png'],
      [`filename="gr\ufffde.png"`, 'gr\ufffde.png'],
    ] as const) {
      const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; ${given}\r\nContent-Type: image/png\r\n\r\n`
      const body = Buffer.concat([
        Buffer.from(head),
        freshImage(),
        Buffer.from(`\r\n--${boundary}--\r\n`),
      ])
      const answer = await owner.post('/media', body, {
        'content-type': `multipart/form-data; boundary=${boundary}`,
      })
      assert.equal(answer.body.data?.filename, kept, JSON.stringify(answer.body))
    }
  })

  await t.test('a form with an empty file is a 400', async () => {
    const owner = await world.member()
    const form = new FormData()
    form.append('file', new Blob([]), 'empty.png')
    const response = new Response(form)
    const bytes = Buffer.from(await response.arrayBuffer())
    const type = response.headers.get('content-type')!
    const { status, body } = await owner.post('/media', bytes, { 'content-type': type })
    assert.deepEqual([status, body.error.details[0].path], [400, 'file'])
  })

  await t.test(
    'a PNG named .jpg is a PNG, and a name with a path and lines has neither',
    async () => {
      const owner = await world.member()
      for (const [given, kept] of [
        ['photo.jpg', /^photo\.jpg$/],
        ['../../x\r\n.png', /^x[\w_]*\.png$/],
      ] as const) {
        const form = new FormData()
        form.append('file', new Blob([new Uint8Array(freshImage())], { type: 'image/jpeg' }), given)
        const response = new Response(form)
        const bytes = Buffer.from(await response.arrayBuffer())
        const type = response.headers.get('content-type')!
        const { status, body } = await owner.post('/media', bytes, { 'content-type': type })
        assert.equal(status, 201, JSON.stringify(body))
        assert.match(body.data.filename, kept)
        assert.equal(body.data.contentType, 'image/png')
        const content = await contentOf(owner, body.data.id)
        assert.equal(content.headers.get('content-type'), 'image/png')
        const disposition = content.headers.get('content-disposition')
        assert.match(disposition!, /^inline; filename="[\w.]+"$/)
      }
    },
  )

  await t.test('storage is charged in whole megabytes of the sum, and given back', async () => {
    const owner = await world.member()
    const usedMb = async () => {
      const { data } = (await owner.get('/billing/usage')).body
      return data.usage.media_storage_mb.used
    }
    const first = await add(owner)
    assert.equal(await usedMb(), 1)
    await add(owner)
    assert.equal(await usedMb(), 1)
    const large = await add(owner, await noise(1_000))
    assert.equal(await usedMb(), 1 + Math.floor(large.size / 1_000_000))
    await owner.delete(`/media/${large.id}`)
    assert.equal(await usedMb(), 1)
    await owner.delete(`/media/${first.id}`)
    await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
    await world.sql`
      update usage_counters set used = 50
      where workspace_id = ${owner.workspaceId} and name = 'media_storage_mb'`
    const { status, body } = await upload(owner, await noise(1_000))
    assert.deepEqual([status, body.error?.code], [403, 'PLAN_LIMIT_REACHED'])
  })

  await t.test(
    'the public sees a copy without metadata while something shows the image',
    async () => {
      const owner = await world.member()
      const bytes = await photo(2_000)
        .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
        .jpeg()
        .toBuffer()
      assert.ok(bytes.includes('SECRET-PLACE'))
      const { id } = await add(owner, bytes)
      const open = (query = '', headers: Record<string, string> = {}) =>
        fetch(`${world.origin}/media-public/${id}${query}`, { headers })
      assert.equal((await open()).status, 404)
      await world.sql`
      insert into media_uses (media_id, workspace_id, type, used_by, is_public)
      values (${id}, ${owner.workspaceId}, 'bio_page', 'bio_1', false)`
      assert.equal((await open()).status, 404)
      await world.sql`update media_uses set is_public = true where media_id = ${id}`
      const sizes = { '': [1_280, 853], '?size=small': [256, 256], '?size=card': [1_200, 630] }
      for (const [query, size] of Object.entries(sizes)) {
        const answer = await open(query)
        const copy = Buffer.from(await answer.arrayBuffer())
        const { width, height, exif } = await sharp(copy).metadata()
        assert.deepEqual([width, height, exif], [...size, undefined])
        assert.equal(answer.headers.get('cache-control'), 'no-cache')
        assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
        assert.match(answer.headers.get('content-security-policy')!, /sandbox/)
        const again = await open(query, { 'if-none-match': answer.headers.get('etag')! })
        assert.deepEqual([again.status, await again.text()], [304, ''])
      }
      assert.equal((await open('?size=original')).status, 404)
      await world.sql`delete from media_uses where media_id = ${id}`
      assert.equal((await open()).status, 404)
    },
  )

  await t.test('the card of a link shows an image by its id, which is then in use', async () => {
    const [owner, other] = [await world.member(), await world.member()]
    const [{ id }, foreign] = [await add(owner), await add(other)]
    const link = { name: 'Sale', destinationUrl: 'https://example.com/', card: { image: id } }
    const made = await owner.post('/links', link)
    assert.equal(made.status, 201, made.text)
    const { image } = made.body.data.card
    assert.equal(image, `${world.origin}/media-public/${id}?size=card`)
    const use = { type: 'link', id: made.body.data.id, name: 'Sale' }
    assert.deepEqual((await owner.get(`/media/${id}`)).body.data.usedBy, [use])
    assert.equal((await fetch(image)).headers.get('content-type'), 'image/jpeg')
    assert.equal((await owner.delete(`/media/${id}`)).status, 409)
    for (const [named, status] of [
      [foreign.id, 403],
      ['med_unknown', 400],
    ]) {
      const answer = await owner.post('/links', { ...link, card: { image: named } })
      assert.deepEqual([answer.status, answer.body.error.details[0].path], [status, 'card.image'])
    }
    const path = `/links/${made.body.data.id}`
    assert.equal((await owner.patch(path, { card: null })).status, 200)
    assert.equal((await fetch(image)).status, 404)
    await owner.patch(path, { card: { image: id } })
    assert.equal((await owner.delete(path)).status, 204)
    assert.deepEqual((await owner.get(`/media/${id}`)).body.data.usedBy, [])
    assert.equal((await fetch(image)).status, 404)
  })

  await t.test(
    'the QR codes of a link have an image as their logo, which is then in use',
    async () => {
      const [owner, other] = [await world.member(), await world.member()]
      const filled = { width: 300, height: 200, channels: 3, background: '#f00000' } as const
      const { id } = await add(owner, await sharp({ create: filled }).png().toBuffer())
      const frames = await add(owner, await animation(3))
      const foreign = await add(other)
      const link = { name: 'Poster', destinationUrl: 'https://example.com/' }
      const { data } = (await owner.post('/links', { ...link, qrLogoMediaId: id })).body
      assert.equal(data.qrLogoMediaId, id)
      const path = `/links/${data.id}`
      const draw = async (query = '') => {
        const answer = await fetch(`${world.origin}/v1${path}/qr${query}`, {
          headers: { authorization: `Bearer ${owner.apiKey}` },
        })
        assert.equal(answer.status, 200)
        return Buffer.from(await answer.arrayBuffer())
      }
      const isRed = async (code: Buffer) => {
        const { data: pixels, info } = await sharp(code).raw().toBuffer({ resolveWithObject: true })
        const at = (300 * info.width + 300) * info.channels
        const [red = 0, green = 0] = pixels.subarray(at, at + 2)
        return red > 200 && green < 60
      }
      for (const query of ['', '?format=svg']) assert.ok(await isRed(await draw(query)), query)
      const use = { type: 'link', id: data.id, name: 'Poster' }
      assert.deepEqual((await owner.get(`/media/${id}`)).body.data.usedBy, [use])
      // A logo is no part of a public page.
      assert.equal((await fetch(`${world.origin}/media-public/${id}`)).status, 404)
      assert.equal((await owner.delete(`/media/${id}`)).status, 409)
      for (const [named, status] of [
        [foreign.id, 403],
        ['med_unknown', 400],
      ])
        for (const answer of [
          await owner.patch(path, { qrLogoMediaId: named }),
          await owner.post('/links', { ...link, qrLogoMediaId: named }),
        ]) {
          const [detail] = answer.body.error.details
          assert.deepEqual([answer.status, detail.path], [status, 'qrLogoMediaId'])
        }
      await owner.patch(path, { card: { image: id } })
      assert.deepEqual((await owner.get(`/media/${id}`)).body.data.usedBy, [use])
      assert.equal((await fetch(`${world.origin}/media-public/${id}`)).status, 200)
      await owner.patch(path, { card: null, qrLogoMediaId: frames.id })
      assert.ok(!(await isRed(await draw())))
      assert.equal((await owner.delete(`/media/${id}`)).status, 204)
      await owner.patch(path, { qrLogoMediaId: null })
      assert.equal((await owner.delete(`/media/${frames.id}`)).status, 204)
    },
  )

  await t.test(
    'a forced deletion takes the image off links, also off those that come back',
    async () => {
      const owner = await world.member()
      const [{ id }, kept] = [await add(owner), await add(owner)]
      const link = { name: 'Sale', destinationUrl: 'https://example.com/' }
      const make = async (fields: object) => {
        const { status, body, text } = await owner.post('/links', { ...link, ...fields })
        assert.equal(status, 201, text)
        return body.data
      }
      const alone = await make({ card: { image: id } })
      const titled = await make({ card: { image: id, title: 'Sale' }, qrLogoMediaId: id })
      const other = await make({ card: { image: kept.id }, qrLogoMediaId: id })
      const gone = await make({ card: { image: id, title: 'Gone' }, qrLogoMediaId: id })
      await owner.delete(`/links/${gone.id}`)
      const seen = async (slug: string) => {
        const headers = { 'user-agent': 'facebookexternalhit/1.1' }
        const answer = await fetch(`${world.origin}/${slug}`, { headers, redirect: 'manual' })
        return (await answer.text()).includes('/media-public/')
      }
      assert.ok(await seen(titled.slug))
      assert.equal((await owner.delete(`/media/${id}?force=true`)).status, 204)
      const shown = async (linkId: string) => {
        const { card, qrLogoMediaId } = (await owner.get(`/links/${linkId}`)).body.data
        return { card, qrLogoMediaId }
      }
      const card = { title: 'Sale', description: null, image: null }
      assert.deepEqual(await shown(alone.id), { card: null, qrLogoMediaId: null })
      assert.deepEqual(await shown(titled.id), { card, qrLogoMediaId: null })
      assert.deepEqual(await shown(other.id), { card: other.card, qrLogoMediaId: null })
      await eventually(async () => assert.ok(!(await seen(titled.slug))))
      assert.ok(await seen(other.slug))
      const { data: history } = (await owner.get(`/links/${titled.id}/history`)).body
      const changed = { old: titled.card, new: card }
      assert.deepEqual(history[0].changes.card, changed)
      await owner.post(`/links/${titled.id}/rollback`, { historyId: history.at(-1).id })
      assert.deepEqual(await shown(titled.id), { card, qrLogoMediaId: null })
      assert.equal((await owner.post(`/links/${gone.id}/restore`)).status, 200)
      assert.deepEqual(await shown(gone.id), {
        card: { ...card, title: 'Gone' },
        qrLogoMediaId: null,
      })
    },
  )
})

function photo(width = 60) {
  const height = Math.round((width * 2) / 3)
  const grain = { type: 'gaussian', mean: 120, sigma: 40 } as const
  return sharp({ create: { width, height, channels: 3, background: '#888', noise: grain } })
}

/** A PNG that does not compress. */
function noise(size: number): Promise<Buffer> {
  const channels = 3
  const pixels = randomBytes(size * size * channels)
  return sharp(pixels, { raw: { width: size, height: size, channels } })
    .png()
    .toBuffer()
}

function animation(frames: number): Promise<Buffer> {
  const [width, pageHeight, channels] = [8, 6, 3 as const]
  const pixels = Buffer.from(
    Array.from({ length: width * pageHeight * frames * channels }, (_, i) => (i * 7919) % 256),
  )
  return sharp(pixels, { raw: { width, height: pageHeight * frames, channels, pageHeight } })
    .gif({ delay: Array.from({ length: frames }, () => 100), loop: 0 })
    .toBuffer()
}
