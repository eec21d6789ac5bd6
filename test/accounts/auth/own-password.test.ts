import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { must } from '../../support/calls.ts'
import { openWorld } from '../../support/world.ts'

test('a wrong own password is answered in one way, wherever it is asked for', async (t) => {
  const world = await openWorld(t)
  const user = await world.user()
  const setUp = await must(200, user.post('/auth/two-factor/enable', { password: user.password }))
  const totp = new TOTP({ secret: setUp.body.data.secret })
  const codeNow = () => totp.generate({ timestamp: world.clock.now })
  await must(200, user.post('/auth/two-factor/verify', { code: codeNow() }))
  world.clock.advance(60_000)

  const asking: [method: string, path: string, field: string, rest: Record<string, string>][] = [
    ['POST', 'change-password', 'currentPassword', { newPassword: 'seven grey herons' }],
    ['POST', 'change-email', 'password', { newEmail: 'other@example.com' }],
    ['POST', 'two-factor/enable', 'password', {}],
    ['POST', 'two-factor/disable', 'password', { code: codeNow() }],
    ['DELETE', 'user', 'password', { workspaces: 'delete' }],
  ]
  for (const [method, path, field, rest] of asking)
    for (const wrong of ['wrong', 'x'.repeat(300)]) {
      const answer = await user.send(method, `/auth/${path}`, { ...rest, [field]: wrong })
      assert.equal(answer.status, 400, path)
      const { code, message, details } = answer.body.error
      assert.deepEqual([code, message], ['VALIDATION_ERROR', 'The password is wrong.'], path)
      assert.deepEqual(details, [{ path: field, message, code: 'wrong_password' }], path)
    }
  for (const [method, path, field, rest] of asking) {
    const { error } = (await must(400, user.send(method, `/auth/${path}`, rest))).body
    assert.deepEqual([error.details[0].path, error.details[0].code], [field, 'required'], path)
  }
  await must(200, user.get('/auth/session'))

  const { body } = await world.call('GET', '/v1/auth/openapi.json')
  for (const [method, path, field] of asking) {
    const operation = body.paths[`/auth/${path}`][method.toLowerCase()]
    const { $ref } = operation.requestBody.content['application/json'].schema
    const { properties } = body.components.schemas[$ref.split('/').at(-1)]
    assert.match(properties[field].description, /wrong_password/, path)
  }
})
