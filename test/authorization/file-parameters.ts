import assert from 'node:assert/strict'
import type { World } from '../support/world.ts'
import { createAsking } from './asking.ts'
import { goodRequest, nameOf } from './routes.ts'
import { openStage } from '../support/stage.ts'

/** Values that a parameter's shape may let through, and a database does not. */
const STRANGE = ['1969-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '-1', '1e999', '\0', '\ud800']

/** A file is refused before its first byte, not cut off after it. */
export async function checkFileParameters(world: World) {
  const stage = await openStage(world)
  const asking = createAsking(world)
  const { routes } = world.app
  const caller = stage.cast.owner
  for (const row of routes.filter(({ sends }) => sends !== undefined))
    for (const name of Object.keys(row.shapes.query?.properties ?? {}))
      for (const value of STRANGE) {
        const { params = {}, query = {}, ...rest } = await goodRequest(row, stage, caller)
        const request = { ...rest, params, query: { ...query, [name]: value } }
        const told = `${nameOf(row)} ${name}=${value}`
        const credential = { cookie: caller.session.cookie }
        const cut = (error: Error) => assert.fail(`${told}: ${error.message}`)
        const { status } = await asking.send(row, request, credential).catch(cut)
        assert.ok(status < 500 && status !== 429, `${told}: ${status}`)
      }
}
