import { withinMs } from '../core/service.ts'
import { openResolver } from './name-resolver.ts'

type RecordAnswer = {
  outcome: 'found' | 'no_name' | 'no_record' | 'unavailable'
  values: readonly string[]
}

const QUERY_TIMEOUT_MS = 1_500
/** c-ares tries its servers one after the other. */
const ANSWER_TIMEOUT_MS = 4_000
const OUTCOMES: Readonly<Record<string, RecordAnswer['outcome']>> = {
  ENOTFOUND: 'no_name',
  EBADNAME: 'no_name',
  ENODATA: 'no_record',
}

/** Without a cache, since users check right after a change. Answers within four seconds and never rejects. */
export function createDnsRecords(dnsServers: readonly string[]) {
  const resolver = openResolver(dnsServers, QUERY_TIMEOUT_MS)
  return {
    async readTexts(name: string): Promise<RecordAnswer> {
      return settle(resolver.resolveTxt(name).then((texts) => texts.map((parts) => parts.join(''))))
    },
    readAliases: (name: string): Promise<RecordAnswer> => settle(resolver.resolveCname(name)),
    async readAddresses(name: string): Promise<RecordAnswer> {
      const answers = await Promise.all([
        settle(resolver.resolve4(name)),
        settle(resolver.resolve6(name)),
      ])
      const values = answers.flatMap((answer) => answer.values)
      const outcomes = answers.map(({ outcome }) => outcome)
      if (values.length > 0) return { outcome: 'found', values }
      if (outcomes.includes('unavailable')) return { outcome: 'unavailable', values }
      return { outcome: outcomes.includes('no_record') ? 'no_record' : 'no_name', values }
    },
  }
}

async function settle(query: Promise<string[]>): Promise<RecordAnswer> {
  try {
    const values = await withinMs(query, ANSWER_TIMEOUT_MS)
    return { outcome: values.length > 0 ? 'found' : 'no_record', values }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    return { outcome: OUTCOMES[code] ?? 'unavailable', values: [] }
  }
}
