import { getUploadKinds, type Route } from '../../platform/routes/route.ts'
import { invalid } from '../../platform/core/errors.ts'
import type { Asked } from '../requests/within.ts'
import type { Tool } from './tools.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** Ids and words of lists. No segment may change the path. */
const SEGMENT = /^[\w:-]{1,100}$/

/** The request to `/v1` that a call of the tool stands for. @throws ApiError VALIDATION_ERROR */
export function toRequest({ routes, fixed }: Tool, given: Arguments): Asked {
  const { question = '', ...rest } = routes.size === 1 ? { ...given, question: '' } : given
  const route = routes.get(String(question))
  if (!route) throw invalid('question', `question must be one of ${[...routes.keys()].join(', ')}.`)
  const asked: Arguments = { ...rest, ...fixed }
  const { params, query } = route.shapes
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => toSegment(name, asked[name]))
  const search = new URLSearchParams(
    Object.keys(query?.properties ?? {}).flatMap((name) =>
      asked[name] === undefined || asked[name] === null
        ? []
        : [[name, toText(asked[name])] as [string, string]],
    ),
  ).toString()
  const taken = new Set(Object.keys({ ...params?.properties, ...query?.properties }))
  return {
    method: route.method,
    url: `/v1${path}${search === '' ? '' : `?${search}`}`,
    body: toBody(
      route,
      Object.entries(asked).filter(([name]) => !taken.has(name)),
    ),
  }
}

function toSegment(name: string, value: unknown): string {
  if (typeof value === 'string' && SEGMENT.test(value)) return value
  throw invalid(name, value === undefined ? `${name} is required.` : `${name} is not valid.`)
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function toBody(route: Route, entries: readonly [string, unknown][]): Asked['body'] {
  if (getUploadKinds(route)) {
    const file = entries.find(([name]) => name === 'file')?.[1]
    if (typeof file !== 'string' || file === '') throw invalid('file', 'file must be its text.')
    return { type: 'text/csv', content: file }
  }
  if (!route.shapes.body) return null
  return { type: 'application/json', content: JSON.stringify(Object.fromEntries(entries)) }
}
