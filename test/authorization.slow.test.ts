import { test } from 'node:test'
import { checkBorder } from './authorization/border.ts'
import { checkFileParameters } from './authorization/file-parameters.ts'
import { checkForeignPages } from './authorization/foreign-pages.ts'
import { checkIdempotency } from './authorization/idempotency.ts'
import { checkOrder } from './authorization/order.ts'
import { openRoutes } from './authorization/world.ts'

test('walks over all routes', { concurrency: false }, async (t) => {
  const { world, provider } = await openRoutes(t)
  await t.test('a request with several faults is refused for the first one', (part) =>
    checkOrder(part, world),
  )
  await t.test('what a client says about its identity changes no answer', (part) =>
    checkBorder(part, world),
  )
  await t.test('each POST route takes an Idempotency-Key, with one effect', (part) =>
    checkIdempotency(part, world),
  )
  await t.test('a file is refused before its first byte, not cut off after it', () =>
    checkFileParameters(world),
  )
  await t.test('no page of another site changes an account', (part) =>
    checkForeignPages(part, world, provider),
  )
})
