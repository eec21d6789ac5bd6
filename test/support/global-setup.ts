import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEnginePair, type EnginePair } from './engine-pair.ts'

let pair: EnginePair | null = null
/** For the Chromium of a package, unpacked by the first file that needs it. */
let chromiumFolder: string | null = null

/** Run by `node --test --test-global-setup`: one engine pair, and one Chromium, for all test files of the run. */
export async function globalSetup(): Promise<void> {
  pair = await openEnginePair()
  process.env.SIGNPOST_TEST_POSTGRES = pair.postgresUrl
  process.env.SIGNPOST_TEST_CLICKHOUSE = pair.clickhouseUrl
  chromiumFolder = mkdtempSync(join(tmpdir(), 'signpost-chromium-'))
  process.env.SIGNPOST_TEST_CHROMIUM = chromiumFolder
}

export async function globalTeardown(): Promise<void> {
  await pair?.[Symbol.asyncDispose]()
  if (chromiumFolder) rmSync(chromiumFolder, { recursive: true, force: true, maxRetries: 5 })
}
