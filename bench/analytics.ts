import { measureFilters } from './support/analytics-filters.ts'
import { measureGrowth } from './support/analytics-growth.ts'
import { measureLink } from './support/analytics-link.ts'
import { measureParallel } from './support/analytics-parallel.ts'
import { measureRedirects } from './support/redirects-beside-questions.ts'
import { readOptions } from './support/options.ts'
import { printRefusals } from './support/refusals.ts'

/**
 * Measures analytics in the embedded engines.
 *
 * - `link`: the answer of a link with a tenth of all clicks, beside `count()` of that link and the same answer
 *   click by click.
 * - `growth`: questions of a workspace over 365 days and 2,000 links, at `few` and at `many` clicks. The figure is
 *   the time at many by the time at few.
 * - `filters`: two filters over 30 days, beside the same count in PostgreSQL on the same rows with an index.
 * - `parallel`: overviews of several workspaces at once, beside one alone.
 * - `redirects`: redirects while `questions` about a year wait, beside redirects alone.
 *
 *   node bench/analytics.ts [--only link] [--clicks 10000000] [--rounds 100] [--timezone UTC]
 *     [--few 5000000] [--many 20000000] [--seconds 3] [--pairs 5] [--questions 50] [--workspaces 8]
 *     [--ask overview] [--warm-ups 3] [--look 500]
 *
 * `ask` names the only question of `growth`. `warm-ups` are the rounds of `link` that do not count; other sections
 * have one at most. `look` is the time in milliseconds between two looks at the merges of ClickHouse, which end when
 * three in a row find none.
 */
const { only, timezone, ask, clicks, rounds, few, many, look, ...others } = readOptions(
  {
    clicks: 10_000_000,
    rounds: 100,
    few: 5_000_000,
    many: 20_000_000,
    seconds: 3,
    pairs: 5,
    questions: 50,
    workspaces: 8,
    'warm-ups': 3,
    look: 500,
  },
  { timezone: 'UTC', ask: '', only: '' },
)
const { seconds, pairs, questions, workspaces, 'warm-ups': warmUps } = others
const all = { rounds, look, warmUps: Math.min(1, warmUps) }
const isAsked = (section: string) => only === '' || only === section
if (isAsked('link')) await measureLink({ ...all, clicks, timezone, warmUps })
if (isAsked('growth')) await measureGrowth({ ...all, few, many, ask })
if (isAsked('filters')) await measureFilters({ ...all, clicks: few })
if (isAsked('parallel')) await measureParallel({ ...all, clicks: few, workspaces })
if (isAsked('redirects')) await measureRedirects({ clicks: few, pairs, questions, seconds, look })
printRefusals()
