import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { ensureBuild } from '../../../src/api/dashboard-build/build.ts'
import { CHECKOUT } from '../../support/dashboard-checkout.ts'

test('the dashboard of this checkout builds to the same bytes twice, each text compressed', async (t) => {
  const shared = (await ensureBuild(CHECKOUT)).folder
  const second = await mkdtemp(join(tmpdir(), 'sp-build-'))
  t.after(() => rm(second, { recursive: true }))
  const { buildDashboard } = (await import(join(CHECKOUT, 'dashboard/build.js'))) as {
    buildDashboard(outDir: string): Promise<void>
  }
  await buildDashboard(second)
  const filesOf = (folder: string) =>
    globSync('**/*.*', { cwd: folder })
      .toSorted()
      .map((path) => [path, readFileSync(join(folder, path))] as const)
  const files = filesOf(second)
  assert.deepEqual(filesOf(shared), files)

  const contents = new Map(files)
  for (const [path, content] of files.filter(([name]) => /\.(html|js|css|svg)$/.test(name))) {
    assert.deepEqual(brotliDecompressSync(contents.get(`${path}.br`)!), content)
    assert.deepEqual(gunzipSync(contents.get(`${path}.gz`)!), content)
  }
  const html = contents.get('index.html')!.toString()
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc="\/app\/assets\/)|<style|\sstyle=|\son\w+=/)
  assert.doesNotMatch(html, /https?:/)
})
