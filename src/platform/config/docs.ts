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
  return `# Every setting of Signpost with its default. Put yours into a file named .env.
# Generated from src/platform/config/config.ts.\n\n${blocks.join('\n')}`
}

export function renderConfigurationDoc(): string {
  const lines = rows().map(
    ({ name, shown, description }) =>
      `| \`${name}\` | ${shown === '' ? '' : `\`${shown}\``} | ${description} |`,
  )
  return `# Configuration

Signpost needs no setting to start. Set one in the environment, or as a line \`NAME=value\` of the file \`.env\` in the
folder of Signpost; the environment wins. A value that is not valid ends the start with a message that names the
setting, and a name in \`.env\` that is no setting causes a warning.

This page and \`.env.example\` are generated from \`src/platform/config/config.ts\` by
\`npm run -s signpost -- config --write\`.

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

How much of the server one account, one network or one request can use. The [plan](plans.md) of a workspace says how
many links, members and webhooks it can have.

A request beyond a limit changes nothing. Its answer says what the limit is and when to try again: in
\`details: {retryAfter, limit, window}\` and the header \`Retry-After\`.

In these tables, a network is an IPv4 address or an IPv6 /64. "User, and workspace" means that both have the limit. The
page is generated from \`src/platform/limits/\` by \`npm run -s signpost -- config --write\`.

## Rates

The window begins with the first request, mail or attempt. Beyond the limit the answer is 429. With \`REDIS_URL\` all
processes count together. While Redis is unavailable, each process counts alone and allows as much as the last column
says.

${table(
  ['What', 'Per', 'Limit', 'Window', 'Redis unavailable'],
  Object.values<Rate>(RATES).map(({ what, per, points, seconds, withoutRedis }) => [
    what,
    per,
    typeof points === 'number' ? toCount(points) : describeSetting(points.setting),
    toDuration(seconds),
    withoutRedis,
  ]),
)}

## Work at the same time

A user or network can have so much work running and waiting; further requests get a 429. Those who wait take turns.
The last column limits what runs for everyone together, in each process.

${table(
  ['What', 'Per', 'Running', 'Waiting', 'Everyone together'],
  Object.values<Places>(PLACES).map((row) => [
    row.what,
    row.per,
    toCount(row.maxRunningPerKey),
    toCount(row.maxWaitingPerKey),
    row.maxRunning === undefined ? '' : `${row.maxRunning} running`,
  ]),
)}

## Time in the databases, and for files

Used time comes back at a steady rate. Beyond the limit, reads are first slowed down, then refused with 429.

${table(
  ['What', 'Per', 'Seconds', 'Window'],
  Object.values(SHARES).map(({ what, per, seconds, windowSeconds }) => [
    what,
    per,
    toCount(seconds),
    toDuration(windowSeconds),
  ]),
)}

## Sizes

A larger body gets a 413. Bodies in memory count until their requests are answered: 429 means that the user or network
has too many, 503 that the server has too many.

${table(
  ['What', 'Per', 'Size'],
  Object.values(SIZES).map(({ what, per, bytes }) => [what, per, toBytes(bytes)]),
)}

## Times

A request that takes longer gets this answer.

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
