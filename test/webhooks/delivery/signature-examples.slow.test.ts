import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { sign } from '../../../src/webhooks/delivery/signature.ts'
import { freshFolder } from '../../support/fixtures.ts'
import { bodyOf, EXAMPLES, vectors } from '../../support/signature-vectors.ts'

type Verifier = {
  language: string
  /** A command that fails where the language is missing; its output replaces `$` in `run`. */
  probe: string[]
  prepare?: (folder: string) => void
  run: string[]
}

const VERIFIERS: readonly Verifier[] = [
  {
    language: 'Node',
    probe: [process.execPath, '--version'],
    run: [process.execPath, join(EXAMPLES, 'verify.mjs')],
  },
  {
    language: 'Python',
    // Past the wrapper that version managers put in front, which costs more than the example.
    probe: ['python3', '-c', 'import sys; print(sys.executable)'],
    run: ['$', '-S', join(EXAMPLES, 'verify.py')],
  },
  { language: 'shell', probe: ['openssl', 'version'], run: ['sh', join(EXAMPLES, 'verify.sh')] },
  { language: 'PHP', probe: ['php', '--version'], run: ['php', join(EXAMPLES, 'verify.php')] },
  {
    language: 'Go',
    probe: ['go', 'version'],
    prepare(folder) {
      const build = ['build', '-o', join(folder, 'verify'), join(EXAMPLES, 'verify.go')]
      const built = spawnSync('go', build, { encoding: 'utf8', cwd: folder })
      assert.equal(built.status, 0, built.stderr)
    },
    run: ['./verify'],
  },
]

for (const { language, probe, prepare, run } of VERIFIERS) {
  test(`the ${language} example accepts and refuses every published vector`, async (t) => {
    const probed = spawnSync(probe[0]!, probe.slice(1), { encoding: 'utf8' })
    if (probed.status !== 0) {
      const reason = `${probe[0]} is not on this machine: the ${language} example was not run`
      t.diagnostic(reason)
      return t.skip(reason)
    }
    const folder = freshFolder()
    prepare?.(folder)
    const [program, ...args] = run.map((part) => (part === '$' ? probed.stdout.trim() : part))
    const verify = (secret: string, header: string, now: number | null, body: string) =>
      exitCode(
        t,
        program!,
        [...args, secret, header, ...(now === null ? [] : [String(now)])],
        body,
        folder,
      )

    const { toleranceSeconds: tolerance } = vectors
    for (const vector of vectors.accepted)
      for (const now of [0, tolerance, -tolerance].map((seconds) => vector.timestamp + seconds))
        if (now >= 0 && (vector.body === '{}' || now === vector.timestamp))
          assert.equal(
            await verify(vector.secret, vector.header, now, bodyOf(vector)),
            0,
            vector.name,
          )
    for (const vector of vectors.refused)
      assert.notEqual(
        await verify(vector.secret, vector.header, vector.now, bodyOf(vector)),
        0,
        vector.name,
      )

    const fresh = sign('whsec_fresh', Math.floor(Date.now() / 1000), '{}')
    assert.equal(await verify('whsec_fresh', fresh, null, '{}'), 0)
    assert.equal(
      await verify('whsec_fresh', sign('whsec_fresh', 1_767_225_600, '{}'), null, '{}'),
      1,
    )
  })
}

for (const { language, probe, prepare, run } of VERIFIERS) {
  test(`the ${language} example verifies through a symbolic link as well`, async (t) => {
    const probed = spawnSync(probe[0]!, probe.slice(1), { encoding: 'utf8' })
    if (probed.status !== 0 || prepare)
      return t.skip(`${language} is not run by the path of its text`)
    const folder = freshFolder()
    symlinkSync(EXAMPLES, join(folder, 'folder'))
    const name = run.at(-1)!.slice(EXAMPLES.length + 1)
    symlinkSync(join(EXAMPLES, name), join(folder, name))
    const [program, ...options] = run
      .slice(0, -1)
      .map((part) => (part === '$' ? probed.stdout.trim() : part))
    const header = sign('whsec_x', 1_767_225_600, '{}')
    for (const path of [join('folder', name), name]) {
      const verify = (given: string) =>
        exitCode(t, program!, [...options, path, 'whsec_x', given, '1767225600'], '{}', folder)
      assert.notEqual(await verify('garbage'), 0, path)
      assert.equal(await verify(header), 0, path)
    }
  })
}

function exitCode(
  t: TestContext,
  program: string,
  args: string[],
  body: string,
  cwd: string,
): Promise<number | null> {
  const child = spawn(program, args, {
    cwd,
    stdio: ['pipe', 'inherit', 'inherit'],
    signal: t.signal,
  })
  // A verifier that refuses at once reads no body.
  child.stdin.on('error', () => {})
  child.stdin.end(body)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code))
  })
}
