import { SETTINGS } from './config.ts'
import { PLACES, type Places } from '../limits/places.ts'
import { RATES, type Rate } from '../limits/rates.ts'
import { SIZES } from '../limits/sizes.ts'
import { SHARES, TIMES } from '../limits/times.ts'

const WIDTH = 96

export function renderEnvExample(): string {
  const blocks = rows().map(({ name, literal, shown, description }) => {
    const hint = literal === '' && shown !== '' ? ` Default: ${shown}.` : ''
    return `${wrap(description + hint)}\n#${name}=${literal}\n`
  })
  return `# Every setting of Signpost, with its default; put them into a file named .env.
# Generated from src/platform/config/config.ts.\n\n${blocks.join('\n')}`
}

export function renderConfigurationDoc(): string {
  const lines = rows().map(
    ({ name, shown, description }) =>
      `| \`${name}\` | ${shown === '' ? '' : `\`${shown}\``} | ${description} |`,
  )
  return `# Configuration

Every setting is an environment variable, or a line of a file named \`.env\` in the folder of Signpost, whose names
are checked at the start; the environment wins. None is required. This page and \`.env.example\` are
generated from \`src/platform/config/config.ts\` by \`npm run -s signpost -- config --write\`. A value that does not
parse stops the start with a message that names the variable.

| Variable | Default | What it does |
|---|---|---|
${lines.join('\n')}
`
}

function rows() {
  return Object.values(SETTINGS).map((row) => ({
    name: row.name,
    literal: row.fallback === null || Array.isArray(row.fallback) ? '' : shownDefault(row),
    shown: shownDefault(row),
    description: row.description,
  }))
}

function shownDefault(row: (typeof SETTINGS)[keyof typeof SETTINGS]): string {
  return 'shown' in row && row.shown !== undefined ? row.shown : String(row.fallback)
}

function wrap(text: string): string {
  const lines = ['#']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last.length + word.length + 1 > WIDTH) lines.push(`# ${word}`)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines.join('\n')
}

export function renderLimitsDoc(): string {
  return `# Limits

What one account, one network or one request may use of the server. Every limit is a row of a table in
\`src/platform/limits/\`, from which \`npm run -s signpost -- config --write\` generates this page. How many links, members
or webhooks a workspace may have is a matter of its [plan](plans.md).

A refused request gets a clear answer with \`details: {retryAfter, limit, window}\` and a \`Retry-After\`, and has changed
nothing. A network is an IPv4 address or an IPv6 /64.

## Rates

Requests, mails or attempts in a window that begins with the first of them. Beyond it the answer is 429. With \`REDIS_URL\`
all processes count together. While Redis is unavailable each process counts alone, and allows as many or a quarter.

${table(
  ['What', 'Of one', 'How many', 'In', 'Without Redis'],
  Object.values<Rate>(RATES).map(({ what, per, points, seconds, withoutRedis }) => [
    what,
    per,
    typeof points === 'number' ? toCount(points) : describeSetting(points.setting),
    toDuration(seconds),
    withoutRedis,
  ]),
)}

## Work at the same time

Work beyond these places waits, and owners take turns. When too much of an owner waits, the answer is 429.

${table(
  ['What', 'Of one', 'Running', 'Waiting', 'Of all'],
  Object.values<Places>(PLACES).map((row) => [
    row.what,
    row.per,
    toCount(row.maxRunningPerKey),
    toCount(row.maxWaitingPerKey),
    row.maxRunning === undefined ? '' : `${row.maxRunning} running`,
  ]),
)}

## Time at the database, and of files

An owner regains the time at a steady rate. Beyond it reads are slowed down, and then refused with 429.

${table(
  ['What', 'Of one', 'Seconds', 'Of'],
  Object.values(SHARES).map(({ what, per, seconds, windowSeconds }) => [
    what,
    per,
    toCount(seconds),
    toDuration(windowSeconds),
  ]),
)}

## Sizes

A larger body gets 413. Bodies that are held at the same time count until their requests are answered: an owner
who has too many gets 429, and 503 means that the server has too many.

${table(
  ['What', 'Of one', 'Bytes'],
  Object.values(SIZES).map(({ what, per, bytes }) => [what, per, toBytes(bytes)]),
)}

## Times

${table(
  ['What', 'Seconds', 'Answer'],
  Object.values(TIMES).map(({ what, ms, answer }) => [what, toCount(ms / 1_000), answer]),
)}
`
}

function describeSetting(name: string): string {
  const { fallback } = Object.values(SETTINGS).find((row) => row.name === name)!
  return `${toCount(fallback as number)} (\`${name}\`)`
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...body]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function toCount(count: number): string {
  return count.toLocaleString('en-US')
}

const UNITS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const

function toDuration(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds % unit === 0)!
  const count = seconds / size
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

function toBytes(bytes: number): string {
  const kib = bytes / 1024
  return kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`
}
