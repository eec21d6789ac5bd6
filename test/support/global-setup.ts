import { openEnginePair, type EnginePair } from './engine-pair.ts'

let pair: EnginePair | null = null

/** Run by `node --test --test-global-setup`: one engine pair for all test files of the run. */
export async function globalSetup(): Promise<void> {
  pair = await openEnginePair()
  process.env.SIGNPOST_TEST_POSTGRES = pair.postgresUrl
  process.env.SIGNPOST_TEST_CLICKHOUSE = pair.clickhouseUrl
}

export async function globalTeardown(): Promise<void> {
  await pair?.[Symbol.asyncDispose]()
}
