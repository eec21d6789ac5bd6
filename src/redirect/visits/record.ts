import type { ClickRecord } from '../../clicks/journal/format.ts'
import { isPrefetch } from './request.ts'
import { cut, type Visit } from './visit.ts'

type Subject = Pick<
  ClickRecord,
  'workspaceId' | 'linkId' | 'slug' | 'destination' | 'utm' | 'trigger' | 'route' | 'isView'
>

/** The record of a visit. */
export function toRecord(visit: Visit, subject: Subject, atMs: number): ClickRecord {
  const { headers } = visit
  return {
    clickId: visit.ulid,
    atMs,
    workspaceId: subject.workspaceId,
    linkId: subject.linkId,
    host: visit.host,
    slug: subject.slug,
    destination: subject.destination,
    utm: subject.utm,
    trigger: subject.trigger,
    ip: visit.address,
    userAgent: visit.userAgent,
    referrer: cut(headers.referer ?? '', 2_048),
    language: visit.languages,
    isPrefetch: isPrefetch(headers),
    domainId: visit.site.domainId,
    route: subject.route,
    country: visit.namedCountry,
    isView: subject.isView,
    hasGpc: headers['sec-gpc'] === '1',
    hasDnt: headers['dnt'] === '1',
  }
}
