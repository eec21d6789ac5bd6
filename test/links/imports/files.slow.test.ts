import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ApiError } from '../../../src/platform/core/errors.ts'
import { createImportFiles } from '../../../src/links/imports/files.ts'
import { parseMapping } from '../../../src/links/imports/drafts.ts'
import type { SourceName } from '../../../src/links/imports/fields.ts'

const FILES = join(import.meta.dirname, 'files')

/** What a file is refused for must not depend on the speed of the machine. */
const files = createImportFiles({ deadlineMs: 120_000 })
after(() => files[Symbol.asyncDispose]())
let users = 0

async function read(bytes: Buffer | string, source: SourceName | null = null, mapping = '') {
  // Each file has a user of its own, so that no time of others counts for it.
  users++
  const principal = {
    userId: `usr_${users}`,
    workspaceId: `wsp_${users}`,
    ip: `10.0.0.${users}`,
  } as never
  const asked = { source, mapping: parseMapping(mapping) }
  const { pieces, ...head } = await files.read(principal, Buffer.from(bytes), asked)
  return { ...head, pieces, drafts: pieces.flat() }
}

const refusal = (status: number, pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ApiError, String(error))
  assert.equal(error.status, status, error.message)
  assert.match(error.message, pattern)
  return true
}

const EXPORTS: [file: string, source: SourceName, inputs: object[], clicks: unknown[]][] = [
  [
    'bitly.csv',
    'bitly',
    [
      {
        name: 'Spring sale, first week',
        destinationUrl: 'https://example.com/spring?ref=mail',
        slug: 'spring',
        tags: ['sale', 'mail'],
      },
      {
        name: '4yBcDeF',
        destinationUrl: 'https://example.com/jobs',
        slug: '4yBcDeF',
        status: 'archived',
      },
    ],
    [1520, 87],
  ],
  [
    'dub.csv',
    'dub',
    [
      {
        name: 'launch',
        destinationUrl: 'https://example.com/launch',
        slug: 'launch',
        tags: ['launch', 'press'],
      },
      {
        name: 'docs',
        destinationUrl: 'https://example.com/docs',
        slug: 'docs',
        status: 'archived',
      },
    ],
    [912, 15],
  ],
  [
    'shortio.csv',
    'shortio',
    [
      {
        name: 'Our app',
        destinationUrl: 'https://example.com/app',
        slug: 'app',
        tags: ['app', 'mobile'],
        expiresAt: '2030-01-01T00:00:00.000Z',
        expiredUrl: 'https://example.com/over',
        maxClicks: 5000,
        iosDeepLink: 'https://apps.example.com/ios',
        androidDeepLink: 'https://apps.example.com/android',
        utmSource: 'poster',
        utmMedium: 'print',
      },
      { name: 'plain', destinationUrl: 'https://example.com/plain', slug: 'plain' },
    ],
    [334, 0],
  ],
  [
    'rebrandly.csv',
    'rebrandly',
    [
      {
        name: 'Price list',
        destinationUrl: 'https://example.com/prices',
        slug: 'prices',
        tags: ['print'],
      },
      { name: 'Contact', destinationUrl: 'https://example.com/contact', slug: 'contact' },
    ],
    [42, 7],
  ],
  [
    'yourls.csv',
    'yourls',
    [
      {
        name: 'A page with a "quoted" title',
        destinationUrl: 'https://example.com/ozh',
        slug: 'ozh',
      },
      { name: '2b', destinationUrl: 'https://example.com/2b', slug: '2b' },
    ],
    [1003, 0],
  ],
  [
    'yourls.json',
    'yourls',
    [
      { name: 'A page', destinationUrl: 'https://example.com/ozh', slug: 'ozh' },
      { name: '2b', destinationUrl: 'https://example.com/2b', slug: '2b' },
    ],
    [1003, 0],
  ],
  [
    'kutt.json',
    'kutt',
    [
      { name: 'Meeting room', destinationUrl: 'https://example.com/meet', slug: 'meet' },
      {
        name: 'old',
        destinationUrl: 'https://example.com/old',
        slug: 'old',
        status: 'paused',
      },
      { name: 'Locked', destinationUrl: 'https://example.com/locked', slug: 'locked' },
    ],
    [58, 3, 0],
  ],
  [
    'shlink.json',
    'shlink',
    [
      {
        name: 'The talk',
        destinationUrl: 'https://example.com/talk',
        slug: 'talk',
        tags: ['events', '2024'],
        startsAt: '2024-05-01T00:00:00+02:00',
        expiresAt: '2030-05-01T00:00:00+02:00',
        maxClicks: 60,
        forwardQuery: false,
      },
      {
        name: '12Kb3',
        destinationUrl: 'https://example.com/a',
        slug: '12Kb3',
        domain: 'go.example.org',
        maxClicks: 3,
        forwardQuery: true,
        status: 'paused',
      },
    ],
    [31, 3],
  ],
  [
    'shlink.csv',
    'shlink',
    [
      {
        name: 'The talk',
        destinationUrl: 'https://example.com/talk',
        slug: 'talk',
        domain: 's.example.org',
        tags: ['events', '2024'],
      },
      {
        name: 'a/b',
        destinationUrl: 'https://example.com/b',
        slug: 'a/b',
        domain: 's.example.org',
      },
    ],
    [40, 0],
  ],
  [
    'sink.json',
    'sink',
    [
      {
        name: 'Shop',
        destinationUrl: 'https://example.com/shop',
        slug: 'shop',
        tags: ['print'],
        expiresAt: '2030-03-17T17:46:40.000Z',
        forwardQuery: true,
        iosDeepLink: 'https://apps.apple.com/app/id1',
        androidDeepLink: 'https://play.google.com/store/apps/details?id=a',
        rules: [{ conditions: { country: ['DE'] }, destinationUrl: 'https://example.com/de' }],
        card: {
          title: 'Shop',
          description: 'All things',
          image: 'https://example.com/shop.png',
        },
      },
      {
        name: 'secret',
        destinationUrl: 'https://example.com/secret',
        slug: 'secret',
        status: 'paused',
      },
    ],
    [null, null],
  ],
  [
    'linktree.json',
    'linktree',
    [
      { name: 'Our shop', destinationUrl: 'https://example.com/shop' },
      { name: 'News', destinationUrl: 'https://example.com/news' },
    ],
    [null, null],
  ],
  [
    'linkstack.json',
    'linkstack',
    [{ name: 'Our shop', destinationUrl: 'https://example.com/shop' }],
    [17],
  ],
]

for (const [file, expected, inputs, clicks] of EXPORTS)
  test(`the export ${file} is recognized, and each of its rows becomes a link with its clicks`, async () => {
    const { source, drafts } = await read(readFileSync(join(FILES, file)))
    assert.equal(source, expected)
    assert.deepEqual(
      drafts.map(({ input }) => input),
      inputs,
    )
    assert.deepEqual(
      drafts.map((draft) => draft.clicks),
      clicks,
    )
    const errors = drafts.flatMap((draft) => draft.errors)
    if (!['kutt.json', 'sink.json'].includes(file)) assert.deepEqual(errors, [])
    else assert.match(errors[0]!.message, /does not export the password/)
  })

test('clicks by day are read from a cell, and only the others of a total have no day', async () => {
  const file = (cells: string) =>
    `keyword,url,clicks,clicks_by_day\na,https://example.com,${cells}\n`
  const { drafts } = await read(file('10,"{""2026-01-30"":4,""2026-01-31"":3}"'))
  assert.deepEqual(drafts[0]!.days, [
    ['2026-01-30', 4],
    ['2026-01-31', 3],
  ])
  assert.equal(drafts[0]!.clicks, 3)
  for (const [cell, message] of [
    ['"[1]"', /JSON object of days/],
    ['"{""2026-02-30"":1}"', /"2026-02-30"/],
    ['"{""1999-12-31"":1}"', /"1999-12-31"/],
    ['"{""2199-12-31"":1}"', /none in the future/],
    ['"{""2026-01-01"":-1}"', /0 to 1000000000 clicks/],
    ['"{""2026-01-01"":1.5}"', /clicks for 2026-01-01/],
  ] as const) {
    const [draft] = (await read(file(`10,${cell}`))).drafts
    assert.equal(draft!.errors[0]!.column, 'clicks_by_day')
    assert.match(draft!.errors[0]!.message, message)
  }
  const many = Object.fromEntries(
    Array.from({ length: 5_001 }, (_, i) => [
      new Date(Date.UTC(2001, 0, 1 + i)).toISOString().slice(0, 10),
      1,
    ]),
  )
  const cell = `"${JSON.stringify(many).replaceAll('"', '""')}"`
  const [draft] = (await read(file(`10,${cell}`))).drafts
  assert.match(draft!.errors[0]!.message, /at most 5000 days/)
})

test('our own columns are read by their types, and an empty cell leaves its field out', async () => {
  const rows = [
    'Name,destination URL,slug,expiresAt,redirectType,forwardQuery,tags,aliases,metadata,rules,maxClicks,externalId',
    `A,https://example.com,a,2030-01-31,301,TRUE,"x, y","[""b"",""c""]","{""__proto__"":{""a"":1}}",[],"1,000",'=1+1`,
    'B,https://example.com,,2030-01-31 10:00,,,,,,,,',
  ]
  const { source, drafts } = await read(`\ufeff${rows.join('\r\n')}\r\n`)
  assert.equal(source, 'csv')
  assert.deepEqual(
    drafts.flatMap(({ errors }) => errors),
    [],
  )
  const [one, two] = drafts.map(({ input }) => input)
  assert.equal(one!.expiresAt, '2030-01-31T00:00:00Z')
  assert.equal(one!.redirectType, 301)
  assert.equal(one!.forwardQuery, true)
  assert.deepEqual(one!.tags, ['x', 'y'])
  assert.deepEqual(one!.aliases, ['b', 'c'])
  assert.equal(one!.maxClicks, 1000)
  assert.equal(one!.externalId, '=1+1')
  assert.deepEqual(Object.keys(one!.metadata!), ['__proto__'])
  assert.deepEqual(two, {
    name: 'B',
    destinationUrl: 'https://example.com',
    expiresAt: '2030-01-31T10:00:00Z',
  })
})

test('a cell that cannot be read is an error of its row, with the column as the file names it', async () => {
  const rows = [
    'name,destinationUrl,Max Clicks,noindex,metadata',
    'A,https://example.com,many,perhaps,{',
  ]
  const { drafts } = await read(rows.join('\n'))
  assert.deepEqual(drafts[0]!.errors, [
    {
      row: 2,
      column: 'Max Clicks',
      code: 'VALIDATION_ERROR',
      message: 'Max Clicks must be a whole number.',
    },
    {
      row: 2,
      column: 'noindex',
      code: 'VALIDATION_ERROR',
      message: 'noindex must be true or false.',
    },
    {
      row: 2,
      column: 'metadata',
      code: 'VALIDATION_ERROR',
      message: 'metadata must be JSON.',
    },
  ])
})

test('rows have the numbers that a spreadsheet shows, with blank rows and cells of several lines', async () => {
  const { drafts } = await read(
    'name,destinationUrl\n"two\nlines",https://example.com\n,\n\nB,https://example.com\n',
  )
  assert.deepEqual(
    drafts.map(({ row }) => row),
    [2, 5],
  )
})

test('semicolons and tabs separate cells too', async () => {
  for (const separator of [';', '\t']) {
    const { drafts } = await read(
      `name;destinationUrl\nA, B;https://example.com/a,b`.replaceAll(';', separator),
    )
    assert.deepEqual(drafts[0]!.input, {
      name: 'A, B',
      destinationUrl: 'https://example.com/a,b',
    })
  }
})

test('a mapping chooses columns, and leaves columns out', async () => {
  const file = 'Label,Target,slug\nA,https://example.com,a'
  const mapping = '{"Label":"name","Target":"destinationUrl","slug":null}'
  const { drafts } = await read(file, null, mapping)
  assert.deepEqual(drafts[0]!.input, { name: 'A', destinationUrl: 'https://example.com' })
})

const REFUSED: [name: string, file: Buffer | string, mapping: string, status: number, RegExp][] = [
  ['an unknown column in the mapping', 'name,destinationUrl\na,b', '{"x":"name"}', 400, /"x"/],
  ['an unknown field in the mapping', 'a,b\na,b', '{"a":"clicks"}', 400, /"clicks"/],
  ['a mapping that is no object', 'a,b\na,b', '["name"]', 400, /JSON object/],
  ['a mapping that is no JSON', 'a,b\na,b', '{', 400, /JSON object/],
  ['Latin-1', Buffer.from('name,destinationUrl\nf\xfcr,b', 'latin1'), '', 400, /UTF-8/],
  ['UTF-16', Buffer.from('\ufeffname,destinationUrl\na,b', 'utf16le'), '', 400, /UTF-8/],
  ['__proto__ as a header', '__proto__,name,destinationUrl\na,b,c', '', 400, /__proto__/],
  ['a quote that is not closed', 'name,destinationUrl\n"a,b\nc,d', '', 400, /quote/],
  ['a quote within a cell', 'name,destinationUrl\na"b",c', '', 400, /quote/],
  ['a column twice', 'name,destinationUrl,name\na,b,c', '', 400, /twice/],
  ['no header', 'https://example.com,a\nhttps://example.com,b', '', 400, /name and destinationUrl/],
  ['no column for the destination', 'name,slug\na,b', '', 400, /destinationUrl is missing/],
  ['an empty header', ',\na,b', '', 400, /name the columns/],
  ['invalid JSON', '{"data":[', '', 400, /JSON/],
  ['a row of more than 1 MiB', `name,destinationUrl\n${'a'.repeat(1_100_000)},b`, '', 400, /1 MiB/],
  ['10,001 rows', `name,destinationUrl\n${'a,b\n'.repeat(10_001)}`, '', 413, /10,000 rows/],
  ['xlsx', Buffer.from('504b030414000600', 'hex'), '', 415, /Excel/],
  ['xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), '', 415, /Excel/],
  ['a zip of a file', Buffer.from('1f8b0800', 'hex'), '', 415, /compressed/],
]

for (const [name, file, mapping, status, pattern] of REFUSED)
  test(`a file with ${name} is refused with ${status}`, async () => {
    await assert.rejects(read(file, null, mapping), refusal(status, pattern))
  })

test('10,000 rows are read', async () => {
  const { drafts } = await read(`name,destinationUrl\n${'a,https://example.com\n'.repeat(10_000)}`)
  assert.equal(drafts.length, 10_000)
})

const MEGABYTE = 1_000_000
const HEADER = 'name,destinationUrl\n'
const objects = (n: number, toObject: (i: number) => string) =>
  `[${Array.from({ length: n }, (_, i) => toObject(i)).join(',')}]`
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** Files that make much of few bytes. */
const HOSTILE: [name: string, file: () => string, status: number, RegExp][] = [
  ['blank rows', () => HEADER + '\n'.repeat(5 * MEGABYTE), 413, /10,000 rows/],
  ['rows of blank cells', () => HEADER + ',\n'.repeat(5 * MEGABYTE), 413, /10,000 rows/],
  ['one long cell', () => HEADER + 'x'.repeat(10 * MEGABYTE), 400, /1 MiB/],
  ['quotes alone', () => HEADER + '"'.repeat(10 * MEGABYTE), 400, /1 MiB/],
  ['a quote that is never closed', () => `${HEADER}"${'x\n'.repeat(5 * MEGABYTE)}`, 400, /1 MiB/],
  [
    'a header of blank cells',
    () => ','.repeat(10 * MEGABYTE),
    400,
    /name the columns|too much memory|too long/,
  ],
  ['201 columns', () => 'x,'.repeat(200) + 'x\n1', 400, /200 columns/],
  [
    'an object with a name of its own for each row',
    () => objects(9_000, (i) => `{"${i}":1}`),
    400,
    /200 columns/,
  ],
  ['many more of them', () => objects(500_000, (i) => `{"${i}":1}`), 413, /10,000 rows/],
  [
    'an object of many names',
    () => `[{${Array.from({ length: 500_000 }, (_, i) => `"${i}":1`).join(',')}}]`,
    400,
    /200 columns/,
  ],
  ['empty objects', () => objects(MEGABYTE, () => '{}'), 413, /10,000 rows/],
  ['nested arrays', () => `[{"name":${nested(5_000)}}]`, 400, /32 levels/],
  ['nothing but brackets', () => nested(5 * MEGABYTE), 400, /32 levels/],
  ['nested objects', () => `${'{"data":'.repeat(5_000)}1${'}'.repeat(5_000)}`, 400, /32 levels/],
]

for (const [name, file, status, pattern] of HOSTILE)
  test(`hostile text is refused with ${status}: ${name}`, async () => {
    await assert.rejects(read(file()), refusal(status, pattern))
  })

test('a file that takes too much memory is refused alone', async () => {
  // Each array takes 28 times its text.
  const arrays = objects(160_000, () => nested(30))
  await assert.rejects(read(arrays), refusal(400, /memory/))
  const { drafts } = await read(`${HEADER}a,https://example.com`)
  assert.equal(drafts.length, 1)
})

test('deeply nested JSON within a cell is an error of its row', async () => {
  const { drafts } = await read(`name,destinationUrl,metadata\na,b,"${nested(5_000)}"`)
  assert.match(drafts[0]!.errors[0]!.message, /32 levels/)
})

test('a row that no link can fill is an error of its own', async () => {
  const large = `name,destinationUrl,metadata\na,b,"[${'{},'.repeat(100_000)}{}]"\nc,https://example.com,`
  const { drafts } = await read(large)
  assert.deepEqual(drafts[0]!.input, {})
  assert.match(drafts[0]!.errors[0]!.message, /256 KiB/)
  assert.equal(drafts[1]!.input.name, 'c')
})

test('the largest file arrives in pieces of few rows and bytes, and other work has turns between', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const { drafts, pieces } = await read(
    `${HEADER}${`${'a'.repeat(1_000)},https://example.com\n`.repeat(10_000)}`,
  )
  clearInterval(timer)
  assert.ok(turns > 2, `only ${turns} turns`)
  assert.equal(drafts.length, 10_000)
  for (const piece of pieces) {
    assert.ok(piece.length <= 50)
    assert.ok(JSON.stringify(piece).length <= 256 * 1024)
  }
})
