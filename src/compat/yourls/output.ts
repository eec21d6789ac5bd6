import type { Link } from '../../links/link/schema.ts'
import type { ApiError } from '../../platform/core/errors.ts'
import type { Answered } from '../api.ts'
import { asText } from '../fields.ts'

/** `simple` is the answer of that format alone. */
export type Output = { simple?: string; statusCode?: string; errorCode?: string } & Record<
  string,
  unknown
>

/** A parameter of the form or the query. */
export type Get = (name: string) => string | undefined

export const SUCCESS = { statusCode: '200', message: 'success' } as const

const CALLBACK = /^[A-Za-z_$][\w$]{0,99}(\.[A-Za-z_$][\w$]{0,99}){0,9}$/

export function toAnswer(output: Output, of: Get): Answered {
  const { simple = '', ...shown } = output
  const status = Number(output.statusCode || output.errorCode || 200)
  switch (of('format')) {
    case 'json':
      return { status, body: shown }
    case 'jsonp':
      return toJsonp(status, shown, of('callback') ?? of('jsonp') ?? '')
    case 'xml':
    case undefined:
      return { status, type: 'application/xml; charset=utf-8', body: toXml(shown) }
    default:
      return { status, type: 'text/plain; charset=utf-8', body: simple }
  }
}

function toJsonp(status: number, shown: object, callback: string): Answered {
  const type = 'application/javascript; charset=utf-8'
  if (!CALLBACK.test(callback))
    return { status: 400, type, body: '{"errorCode":"400","error":"Invalid callback parameter"}' }
  // The separators end a line in scripts of old browsers.
  const text = JSON.stringify({ ...shown, callback }).replace(
    /[\u2028\u2029<]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return { status, type, body: `/**/${callback}(${text})` }
}

function toXml(value: object): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<root>${toElements(value)}</root>\n`
}

function toElements(value: object): string {
  return Object.entries(value)
    .map(([name, item]) => {
      const inner = typeof item === 'object' && item !== null ? toElements(item) : escape(item)
      return `<${name}>${inner}</${name}>`
    })
    .join('')
}

function escape(value: unknown): string {
  return asText(value).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)
}

/** An error of `/v1` that no action has its own words for. */
export function toRefusal({ code, status, message }: ApiError): Output {
  const text = code === 'UNAUTHORIZED' ? 'Please log in' : message
  return { message: text, errorCode: status === 401 ? '403' : String(status), simple: text }
}

export function showLink({ destinationUrl: url, name: title, clicks }: Link) {
  return { url, title, ip: '', clicks: String(clicks) }
}

/** `2026-01-31 12:00:00` */
export function toDate(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ')
}
