import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ApiError } from '../../../src/base/errors.ts'
import { toDraft } from '../../../src/services/imports/drafts.ts'
import { parseMapping, toLayout } from '../../../src/services/imports/layout.ts'
import { detectSource, type SourceName } from '../../../src/services/imports/sources.ts'
import { readTable } from '../../../src/services/imports/table.ts'

const FILES = join(import.meta.dirname, 'files')

async function read(bytes: Buffer | string, source?: SourceName, mapping = '') {
  const table = await readTable(Buffer.from(bytes))
  const found = source ?? detectSource(table.headers)
  const layout = toLayout(table.headers, found, parseMapping(mapping))
  return { source: found, drafts: table.rows.map((row) => toDraft(layout, found, row)), table }
}

const refusal = (status: number, pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof ApiError, String(error))
  assert.equal(error.status, status, error.message)
  assert.match(error.message, pattern)
  return true
}

const EXPORTS: [file: string, source: SourceName, inputs: object[], clicks: unknown[][]][] = [
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
    [
      [1520, '2024-03-05'],
      [87, '2023-11-20'],
    ],
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
    [
      [912, '2025-01-10'],
      [15, '2025-03-02'],
    ],
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
    [
      [334, '2024-06-01'],
      [0, '2024-06-02'],
    ],
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
    [
      [42, '2022-09-14'],
      [7, '2022-09-15'],
    ],
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
    [
      [1003, '2019-05-06'],
      [0, '2020-01-02'],
    ],
  ],
  [
    'yourls.json',
    'yourls',
    [
      { name: 'A page', destinationUrl: 'https://example.com/ozh', slug: 'ozh' },
      { name: '2b', destinationUrl: 'https://example.com/2b', slug: '2b' },
    ],
    [
      [1003, '2019-05-06'],
      [0, '2020-01-02'],
    ],
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
    [
      [58, '2021-07-08'],
      [3, '2021-07-09'],
      [0, '2021-07-10'],
    ],
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
      drafts.map((draft) => [draft.clicks, draft.day]),
      clicks,
    )
    const errors = drafts.flatMap((draft) => draft.errors)
    if (file !== 'kutt.json') assert.deepEqual(errors, [])
    else assert.match(errors[0]!.message, /does not export the password/)
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
  const { table } = await read(
    'name,destinationUrl\n"two\nlines",https://example.com\n,\n\nB,https://example.com\n',
  )
  assert.deepEqual(
    table.rows.map(({ row }) => row),
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
  const { drafts } = await read(file, undefined, mapping)
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
    await assert.rejects(read(file, undefined, mapping), refusal(status, pattern))
  })

test('10,000 rows are read', async () => {
  const { drafts } = await read(`name,destinationUrl\n${'a,https://example.com\n'.repeat(10_000)}`)
  assert.equal(drafts.length, 10_000)
})

test('a file of hundreds of thousands of blank rows is refused without holding them all', async () => {
  const blank = Buffer.concat([
    Buffer.from('name,destinationUrl\n'),
    Buffer.alloc(2_000_000, ',\n'),
  ])
  await assert.rejects(readTable(blank), refusal(413, /10,000 rows/))
})

test('other work gets its turn while a large file is read', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await read(`name,destinationUrl\n${`${'a'.repeat(900)},https://example.com\n`.repeat(10_000)}`)
  clearInterval(timer)
  assert.ok(turns > 2, `only ${turns} turns`)
})
