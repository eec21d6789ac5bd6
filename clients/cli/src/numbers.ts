import { plain, table, textOption, type Command } from './command.ts'
import { findLink, wholeNumber } from './links.ts'

const DAYS = 30
const MAX_DAYS = 365
const ROWS = 5
const BARS = '▁▂▃▄▅▆▇█'

/** One character a value, from the lowest to the highest bar. */
export function sparkLine(values: readonly number[]): string {
  const top = Math.max(1, ...values)
  return values.map((value) => BARS[Math.round((value / top) * (BARS.length - 1))]).join('')
}

export const stats: Command = {
  args: 'LINK',
  summary: 'show the clicks of a link',
  options: { days: { type: 'string', value: 'N', about: `of the last days (${DAYS})` } },
  async run(_, given, client) {
    const days = wholeNumber(given, 'days', DAYS, MAX_DAYS)
    const link = await findLink(client(), given.args[0]!)
    const [numbers, series] = [
      await client().analytics.link(link.id, { days }),
      await client().analytics.linkTimeseries(link.id, { days, granularity: 'day' }),
    ]
    const top = (counts: Record<string, number> = {}) =>
      Object.entries(counts)
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, ROWS)
        .map(([label, clicks]) => `${plain(label)} ${clicks}`)
        .join(', ')
    const text = [
      `${plain(link.shortUrl)}  ${sparkLine(series.map(({ clicks }) => clicks))}`,
      table([
        ['clicks', `${numbers.periodClicks} in ${days} days, ${numbers.totalClicks} in all`],
        ['visitors', String(numbers.uniqueVisitors)],
        ['countries', top(numbers.breakdowns['country'])],
        ['devices', top(numbers.breakdowns['device'])],
        ['referrers', top(numbers.breakdowns['referrer'])],
      ]),
    ].join('\n')
    return { data: { ...numbers, series }, text }
  },
}

export const tail: Command = {
  summary: 'show clicks as they happen, until Ctrl-C',
  options: { link: { type: 'string', value: 'LINK', about: 'only clicks of this link' } },
  async run(io, given, client) {
    const wanted = textOption(given, 'link')
    const query = wanted === undefined ? {} : { linkId: (await findLink(client(), wanted)).id }
    io.note('Waiting for clicks; Ctrl-C ends.')
    for await (const { type, data } of client().analytics.live(query, { signal: io.signal })) {
      if (given.options['json'] === true) io.write(JSON.stringify({ type, data }))
      else if (type === 'skipped') io.note(`${data.clicks ?? 'Some'} clicks were left out.`)
      else {
        const { link, timestamp, country, device, browser, referrer } = data
        const facts = [timestamp, link.shortUrl, country, device, browser, referrer]
        io.write(facts.map((fact) => plain(fact ?? '-')).join('  '))
      }
    }
  },
}
