import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { freshFolder } from '../support/fixtures.ts'
import { openWorld } from '../support/world.ts'
import { operationsOf } from './operations.ts'

const ROOT = join(import.meta.dirname, '../..')
const TSCONFIG = {
  compilerOptions: {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom'],
    types: ['node'],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    paths: { '@signpost/client': [join(ROOT, 'clients/typescript/src/index.ts')] },
  },
  include: ['*.ts'],
}

test('the TypeScript samples of the document are programs for its client', async (t) => {
  const world = await openWorld(t)
  const { body } = await world.call('GET', '/v1/openapi.json')
  const folder = freshFolder()
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG))
  for (const { operation } of operationsOf(body)) {
    const { source } = operation['x-codeSamples'].find(({ lang }) => lang === 'typescript')!
    writeFileSync(join(folder, `${operation.operationId}.ts`), source)
  }
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch(
    (error: { stdout: string }) => error,
  )
  assert.equal(stdout, '')
})
