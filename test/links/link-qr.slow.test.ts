import assert from 'node:assert/strict'
import { performance } from 'node:perf_hooks'
import { after, test } from 'node:test'
import jsqr from 'jsqr'
import sharp from 'sharp'
import {
  encode,
  layOut,
  LEVELS,
  SHAPES,
  type Level,
  type QrOptions,
} from '../../src/links/qr/qr-code.ts'
import { createLinkQr } from '../../src/links/qr/qr.ts'
import type { Link } from '../../src/links/link/schema.ts'
import { createPictures } from '../../src/pages/media/pictures.ts'
import { toFormBody } from '../support/forms.ts'
import { openWorld } from '../support/world.ts'

const LINK = { name: 'Poster', destinationUrl: 'https://example.com/poster' }
const WHO = { userId: 'usr_1', workspaceId: 'wsp_1' } as never
const SHORT_URL = 'https://links.example.com/spring-sale'
const TEXT = `${SHORT_URL}?qr=1`
const DEFAULTS: QrOptions = {
  format: 'png',
  shape: 'square',
  size: 600,
  margin: 4,
  fg: '000000',
  bg: 'ffffff',
}
// The package declares its function as `default` of a module that exports it whole.
const decode = jsqr as unknown as typeof jsqr.default

/** The text of a code, by a reader that other people wrote. */
async function read(image: Buffer, size?: number): Promise<string | null> {
  const pipeline = sharp(image)
  if (size !== undefined) pipeline.resize(size, size)
  const { data, info } = await pipeline.ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return decode(new Uint8ClampedArray(data), info.width, info.height)?.data ?? null
}

type Case = { size: number; margin: number; level: Level; drawn: Buffer | null }

/** A picture of many colors, as logos are. */
function picture(width: number, height: number) {
  const pixels = Buffer.from(Array.from({ length: width * height * 3 }, (_, i) => (i * 37) % 256))
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

const pictures = createPictures()
after(() => pictures[Symbol.asyncDispose]())

const openQr = (slug = 'spring-sale') =>
  createLinkQr({
    findLink: async () => {},
    getLink: async () =>
      ({ slug, shortUrl: `https://links.example.com/${slug}`, qrLogoMediaId: null }) as Link,
    readLogo: async () => null,
    drawLogo: pictures.drawLogo,
  })

test('codes can be read in both formats at every level, in many sizes and margins, with and without a logo', async () => {
  const qr = openQr()
  const logo = await picture(60, 40).png().toBuffer()
  const cases: Case[] = LEVELS.flatMap((level) =>
    [
      ...(level === 'M' ? [{ size: 2_048, margin: 4 }] : []),
      { size: 200, margin: 4 },
      { size: 333, margin: 1 },
      { size: 600, margin: 0 },
      { size: 800, margin: 16 },
    ].flatMap((sizes) => [
      { ...sizes, level, drawn: null },
      { ...sizes, level, drawn: logo },
    ]),
  )
  for (const { drawn, ...sizes } of cases)
    for (const format of ['png', 'svg'] as const) {
      const options = { ...DEFAULTS, ...sizes, format }
      const asked = { id: 'lnk_1', options, ...(drawn && { file: drawn }) }
      const { body, contentType } = await qr.draw(WHO, asked)
      const name = `${format} ${JSON.stringify(sizes)} ${drawn ? 'with' : 'without'} a logo`
      assert.equal(contentType, format === 'png' ? 'image/png' : 'image/svg+xml')
      const { width, height } = await sharp(body as Buffer).metadata()
      assert.deepEqual([width, height], [sizes.size, sizes.size], name)
      // A reader needs a quiet zone; one without a margin has it from what the code is printed on.
      const framed =
        sizes.margin > 0
          ? (body as Buffer)
          : await sharp(body as Buffer)
              .extend({ top: 40, bottom: 40, left: 40, right: 40, background: '#fff' })
              .png()
              .toBuffer()
      assert.equal(await read(framed), TEXT, name)
    }
})

test('colors are those of the query, and a light code on a dark background can be read', async () => {
  for (const format of ['png', 'svg'] as const) {
    const options = { ...DEFAULTS, format, fg: 'FFFFFF', bg: '102a43' }
    const { body } = await openQr().draw(WHO, { id: 'lnk_1', options })
    assert.equal(await read(body as Buffer), TEXT)
    const { data } = await sharp(body as Buffer)
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.deepEqual([...data.subarray(0, 3)], [0x10, 0x2a, 0x43], format)
  }
})

test('a logo is drawn in the middle, and raises the level unless one is chosen', async () => {
  const logo = await sharp({
    create: { width: 90, height: 90, channels: 3, background: '#ff0000' },
  })
    .jpeg()
    .toBuffer()
  const middleOf = async (level?: QrOptions['level']) => {
    const options = { ...DEFAULTS, ...(level && { level }) }
    const { body } = await openQr().draw(WHO, { id: 'lnk_1', options, file: logo })
    const { data, info } = await sharp(body as Buffer)
      .raw()
      .toBuffer({ resolveWithObject: true })
    const at = (300 * info.width + 300) * info.channels
    const [red, green] = data.subarray(at, at + 2)
    assert.ok(red! > 200 && green! < 60)
    return body as Buffer
  }
  assert.deepEqual(await middleOf(), await middleOf('H'))
  assert.notDeepEqual(await middleOf(), await middleOf('M'))
})

test('a long short URL needs a large image, and says which', () => {
  const long = `https://links.example.com/${'x'.repeat(190)}`
  assert.throws(() => layOut(encode(long, 'H', false), { ...DEFAULTS, size: 64 }), {
    message: /^size must be \d+ or more/,
  })
  assert.throws(() => encode('x'.repeat(3_000), 'L', false), { message: /too long/ })
})

for (const isPair of [false, true])
  test(`a link has a QR code ${isPair ? 'through a gateway of its own' : 'in one process'}`, async (t) => {
    const world = await openWorld(t, { isPair })
    const owner = await world.member()
    const { body: made } = await owner.post('/links', LINK)
    const { id, shortUrl, slug } = made.data
    const headers = { authorization: `Bearer ${owner.apiKey}` }
    const url = `${world.origin}/v1/links/${id}/qr`
    const get = (query = '', more: Record<string, string> = {}) =>
      fetch(`${url}${query}`, { headers: { ...headers, ...more } })
    const post = (parts: Record<string, string | Buffer>, type?: string) =>
      toFormBody(parts, type).then(({ contentType, bytes }) =>
        fetch(url, {
          method: 'POST',
          headers: { ...headers, 'content-type': contentType },
          body: new Uint8Array(bytes),
        }),
      )
    const errorOf = async (answer: Response) => {
      // eslint-disable-next-line typescript/no-explicit-any
      const { error } = (await answer.json()) as any
      return [answer.status, error.code, error.details[0]?.path]
    }

    const png = await get()
    const bytes = Buffer.from(await png.arrayBuffer())
    assert.equal(png.headers.get('content-type'), 'image/png')
    assert.equal(png.headers.get('content-disposition'), `inline; filename="${slug}.png"`)
    assert.equal(await read(bytes), `${shortUrl}?qr=1`)
    const etag = png.headers.get('etag')!
    const again = await get('', { 'if-none-match': etag })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    assert.equal((await get('?margin=5', { 'if-none-match': etag })).status, 200)
    const svg = await get('?format=svg&level=H&fg=1a2b3c')
    assert.equal(svg.headers.get('content-type'), 'image/svg+xml')
    assert.equal(await read(Buffer.from(await svg.arrayBuffer()), 600), `${shortUrl}?qr=1`)

    for (const [query, path] of [
      ['?size=10000', 'size'],
      ['?size=63', 'size'],
      ['?margin=17', 'margin'],
      ['?fg=red', 'fg'],
      ['?bg=%23ffffff', 'bg'],
      ['?fg=eeeeee', 'fg'],
      ['?fg=777777&bg=888888', 'fg'],
      ['?level=X', 'level'],
      ['?format=gif', 'format'],
    ])
      assert.deepEqual(await errorOf(await get(query)), [400, 'VALIDATION_ERROR', path], query)

    const logo = await picture(50, 50).jpeg().toBuffer()
    const drawn = await post({ logo, size: '400', fg: '003366' })
    assert.equal(drawn.status, 200)
    const image = Buffer.from(await drawn.arrayBuffer())
    assert.equal((await sharp(image).metadata()).width, 400)
    assert.equal(await read(image), `${shortUrl}?qr=1`)
    const large = Buffer.concat([logo, Buffer.alloc(66_000)])
    const bomb = await sharp({
      create: { width: 6_000, height: 6_000, channels: 3, background: '#fff' },
    })
      .png({ palette: true, colors: 2 })
      .toBuffer()
    assert.ok(bomb.length < 64 * 1024, 'the bomb is small')
    const svgLogo = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    const refused: [Record<string, string | Buffer>, unknown[]][] = [
      [{ logo: svgLogo }, [415, 'UNSUPPORTED_MEDIA_TYPE', 'logo']],
      [{ logo: large }, [413, 'PAYLOAD_TOO_LARGE', 'logo']],
      [{ logo: bomb }, [400, 'VALIDATION_ERROR', 'logo']],
      [{ logo: logo.subarray(0, 600) }, [400, 'VALIDATION_ERROR', 'logo']],
      [{ other: logo }, [400, 'VALIDATION_ERROR', 'logo']],
      [{ size: '400' }, [400, 'VALIDATION_ERROR', 'logo']],
      [{ logo, size: '9' }, [400, 'VALIDATION_ERROR', 'size']],
      [{ logo, fg: 'ffffff' }, [400, 'VALIDATION_ERROR', 'fg']],
    ]
    for (const [parts, expected] of refused)
      assert.deepEqual(await errorOf(await post(parts)), expected, Object.keys(parts).join())
    const json = await owner.post(`/links/${id}/qr`, { logo: 'x' })
    assert.equal(json.status, 415)
  })

test('codes of every shape can be read, as an image and drawn from their paths', async () => {
  const qr = openQr()
  for (const shape of SHAPES)
    for (const format of ['png', 'svg'] as const) {
      const options = { ...DEFAULTS, shape, format, fg: '0b5e82', bg: 'f7f6f2' }
      const { body } = await qr.draw(WHO, { id: 'lnk_1', options })
      assert.equal(await read(body as Buffer, 600), TEXT, `${shape} as ${format}`)
    }
})

test('a PDF has one page of the size of the code', async () => {
  const qr = openQr()
  for (const shape of SHAPES) {
    const options = { ...DEFAULTS, shape, format: 'pdf' as const, size: 300 }
    const { body, contentType, filename } = await qr.draw(WHO, { id: 'lnk_1', options })
    assert.deepEqual([contentType, filename], ['application/pdf', 'spring-sale.pdf'])
    const text = (body as Buffer).toString('latin1')
    assert.match(text, /^%PDF-/)
    assert.match(text, /MediaBox \[0 0 300 300\]/)
    assert.equal(text.match(/\/Type \/Page\b/g)?.length, 1)
  }
})

test('codes of many links are files of an archive, each with a name of its own', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const stranger = await world.member()
  const make = async (slug: string, caller = owner) => {
    const { body } = await caller.post('/links', { ...LINK, slug })
    return body.data.id as string
  }
  const ids = [await make('spring/one'), await make('spring_one')]
  const answer = await owner.post('/links/qr', { ids, format: 'svg', shape: 'dots' })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.headers.get('content-type'), 'application/zip')
  for (const [body, status, path] of [
    [{ ids: [] }, 400, 'ids'],
    [{ ids: Array.from({ length: 101 }, () => ids[0]) }, 400, 'ids'],
    [{ ids: ['lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV'] }, 400, 'ids.0'],
    [{ ids, shape: 'stars' }, 400, 'shape'],
    [{ ids, fg: 'ffffff' }, 400, 'fg'],
  ] as const) {
    const refused = await owner.post('/links/qr', body)
    assert.equal(refused.status, status, refused.text)
    assert.equal(refused.body.error.details[0].path, path)
  }
  const foreign = await make('foreign', stranger)
  assert.equal((await owner.post('/links/qr', { ids: [foreign] })).status, 403)
})

test('the largest codes leave the process free for other requests', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const { body } = await owner.post('/links', { ...LINK, slug: '\u{1f984}'.repeat(180) })
  const ids = Array.from({ length: 10 }, () => body.data.id as string)
  const ask = (count: number, format: string) =>
    owner.post('/links/qr', { ids: ids.slice(0, count), format, shape: 'dots', level: 'M' })
  for (const format of ['pdf', 'svg']) {
    await ask(1, format)
    const before = performance.eventLoopUtilization()
    const answer = await ask(10, format)
    assert.equal(answer.status, 200, answer.text)
    const { utilization } = performance.eventLoopUtilization(before)
    // Drawn here it is 0.95 and more.
    assert.ok(utilization < 0.7, `${format}: ${utilization}`)
  }
})
