import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES, isRightToLeft } from '../../src/platform/facts/languages.ts'
import { FORM_TEXTS } from '../../src/platform/text/forms.ts'
import { Browser, must } from '../support/calls.ts'
import { openWorld, type World } from '../support/world.ts'

const PASSWORD = 'quiet harbour lamp'

async function read(world: World, path: string, language: string, init: RequestInit = {}) {
  const headers = { accept: 'text/html', 'accept-language': language, ...init.headers }
  const answer = await fetch(world.origin + path, { ...init, headers })
  return { status: answer.status, html: await answer.text() }
}

function post(world: World, path: string, language: string, fields: Record<string, string>) {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: world.origin }
  const body = String(new URLSearchParams(fields))
  return read(world, path, language, { method: 'POST', headers, body })
}

test('pages with forms are in the language of the browser, with their errors', async (t) => {
  const world = await openWorld(t)
  for (const language of LANGUAGES) {
    const { html } = await read(world, '/report-abuse', language)
    const { report, gone } = FORM_TEXTS[language]
    const direction = isRightToLeft(language) ? ' dir="rtl"' : ''
    assert.ok(html.includes(`<html lang="${language}"${direction}>`), language)
    assert.ok(html.includes(report.title), language)
    const { status, html: old } = await read(world, '/v1/auth/reset-password?token=x', language)
    assert.equal(status, 410)
    assert.ok(old.includes(gone.title), language)
  }
  const refused = await post(world, '/report-abuse', 'it', { url: 'no link', reason: 'spam' })
  assert.equal(refused.status, 400)
  assert.match(refused.html, /Non è un link breve di questo servizio/)
  assert.match(refused.html, /Torna indietro, correggi il problema/)

  const { calls } = new Browser(world.origin)
  const email = 'ada@example.com'
  await must(201, calls.post('/auth/sign-up/email', { name: 'Ada', email, password: PASSWORD }))
  const { token } = await world.outbox.next(email)
  const page = await read(world, `/v1/auth/verify-email?token=${token}`, 'de')
  assert.match(page.html, /Registrierung mit ada@example\.com/)
  const wrong = await post(world, '/v1/auth/verify-email', 'de', { token, password: 'wrong' })
  assert.equal(wrong.status, 401)
  assert.match(wrong.html, /role="alert">Das Passwort ist falsch\./)
})

test('the page of an invitation isolates names that others have chosen, in every language', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await world.sql`
    update workspaces set name = ${'EMAIL <b>INVITER</b>'} where id = ${owner.workspaceId}`
  const email = 'guest@example.com'
  await must(201, owner.post('/invitations', { email, role: 'viewer' }))
  const { token } = await world.outbox.next(email)
  for (const language of LANGUAGES) {
    const { status, html } = await read(world, `/v1/auth/invitation?token=${token}`, language)
    assert.equal(status, 200)
    const names = html.match(/<strong><bdi>EMAIL &lt;b&gt;INVITER&lt;\/b&gt;<\/bdi><\/strong>/g)
    assert.equal(names?.length, 1, language)
    assert.ok(!html.includes('<b>INVITER'), language)
    assert.doesNotMatch(html.replaceAll('EMAIL &lt;b&gt;INVITER', ''), /EMAIL|INVITER|WORKSPACE/)
  }
})
