import { join } from 'node:path'
import { BuildError, ensureBuild } from './api/dashboard-build/build.ts'

/** `npm run build`: builds the dashboard ahead, for an image or a checkout that the server cannot write to. */
const startedAtMs = Date.now()
try {
  const { folder, isNew } = await ensureBuild(join(import.meta.dirname, '..'))
  const seconds = ((Date.now() - startedAtMs) / 1_000).toFixed(1)
  const text = isNew ? `was built in ${seconds} s` : 'is built already'
  process.stderr.write(`signpost: the dashboard ${text} (${folder}).\n`)
} catch (error) {
  if (!(error instanceof BuildError)) throw error
  process.stderr.write(
    `${error.output}\nsignpost: the dashboard could not be built: ${error.message}.\n`,
  )
  process.exitCode = 1
}
