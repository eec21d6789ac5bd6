import type { Route } from '../base/route.ts'
import { createSignClick, SP_ID_PURPOSE } from '../facts/sp-id.ts'
import { ClickLookup } from '../services/conversions/click-lookup.ts'
import { createConversions } from '../services/conversions/conversions.ts'
import { conversionRoutes } from '../services/conversions/routes.ts'
import type { Dependencies } from '../services/dependencies.ts'
import type { ShortHost } from '../services/links/short-host.ts'

/** The routes that take conversions. */
export function openConversions(deps: Dependencies & { shortHost: () => ShortHost }): Route[] {
  const { clickhouse, log, secrets, shortHost } = deps
  return conversionRoutes(
    createConversions({
      ...deps,
      sign: createSignClick(secrets.keyFor(SP_ID_PURPOSE)),
      lookup: new ClickLookup({ clickhouse, log }),
      sharedHost: () => shortHost().domain,
    }),
  )
}
