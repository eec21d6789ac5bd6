import { emptyTable } from '../platform/resources/purge-steps.ts'
import type { Resource } from '../platform/resources/resource.ts'
import { ConversionReceived } from './conversions/schema.ts'

export const conversions = {
  scopes: { conversions: { write: 'send conversions' } },
  capabilities: ['conversions'],
  events: {
    'conversion.received': {
      label: 'Conversion received',
      description:
        'A server reported a conversion: sent when it is attributed to a link, or when ten minutes have not shown its click.',
      data: ConversionReceived,
    },
  },
  purge: [
    {
      name: 'conversions',
      tables: ['conversions'],
      run: ({ sql }, workspaceId, signal) => emptyTable(sql, 'conversions', workspaceId, signal),
    },
  ],
} as const satisfies Resource

export const deferred = {
  scopes: {
    deferred: {
      read: 'nothing; the scope is accepted, and no route requires it',
      write: 'resolve deferred deep links; the only scope for a key inside an app',
    },
  },
} as const satisfies Resource

/** It needs no scope: any credential may use it. */
export const geoip = {} as const satisfies Resource
