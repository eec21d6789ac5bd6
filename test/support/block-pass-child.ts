import { createPassRules } from './block-pass-world.ts'
import { openPools } from './job-world.ts'

/**
 * Applies blocks in a process of its own, which kills itself in one of its steps, when the links are written and
 * the transaction is not committed: `block-pass-child.ts <postgres url> <step> <time in ms>`.
 */
const [postgresUrl = '', fatalStep, nowMs] = process.argv.slice(2)
let steps = 0
const onWritten = () => {
  if (++steps === Number(fatalStep)) process.kill(process.pid, 'SIGKILL')
}
const rules = createPassRules(openPools(postgresUrl), { clock: () => Number(nowMs), onWritten })
await rules.work(new AbortController().signal)
