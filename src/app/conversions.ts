import type { Route } from '../base/route.ts'
import type { Service } from '../base/service.ts'
import { createSignClick, SP_ID_PURPOSE } from '../facts/sp-id.ts'
import { ClickLookup } from '../services/conversions/click-lookup.ts'
import { createConversions } from '../services/conversions/conversions.ts'
import { createConversionCopy } from '../services/conversions/copy.ts'
import { createConversionLabels } from '../services/conversions/labels.ts'
import { conversionRoutes } from '../services/conversions/routes.ts'
import { createConversionWaiting } from '../services/conversions/waiting.ts'
import type { Dependencies } from '../services/dependencies.ts'
import type { ShortHost } from '../services/links/short-host.ts'

/** Conversions: the routes that take them, and the work without a request. */
export function openConversions(deps: Dependencies & { shortHost: () => ShortHost }): {
  routes: Route[]
  services: Service[]
} {
  const { clickhouse, log, secrets, systemSql: sql, shortHost } = deps
  const conversions = createConversions({
    ...deps,
    sign: createSignClick(secrets.keyFor(SP_ID_PURPOSE)),
    lookup: new ClickLookup({ clickhouse, log }),
    sharedHost: () => shortHost().domain,
  })
  return {
    routes: conversionRoutes(conversions),
    services: [
      createConversionWaiting({ ...deps, sql }).service,
      createConversionLabels({ ...deps, sql }).service,
      createConversionCopy({ ...deps, sql }).service,
    ],
  }
}
