import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { readPasswordForm, type PasswordForm } from '../../src/redirect/pages/form.ts'

const HEAD =
  'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 12\r\n\r\n'

/** Sends the beginning of a form, and returns how it was read. */
async function readBeginning(
  t: TestContext,
  maxMs: number,
  leaves: boolean,
): Promise<PasswordForm> {
  const read = Promise.withResolvers<PasswordForm>()
  const server = createServer((req, res) => {
    readPasswordForm(req, maxMs).then((form) => {
      res.destroy()
      read.resolve(form)
    }, read.reject)
    if (leaves) socket.destroy()
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(`${HEAD}passw`)
  return read.promise
}

test('a form that does not arrive in time is given up', async (t) => {
  assert.deepEqual(await readBeginning(t, 20, false), { problem: 'formTooSlow' })
})

test('a client that leaves before the end of its form ends the reading', async (t) => {
  assert.deepEqual(await readBeginning(t, 60_000, true), { problem: 'gone' })
})
