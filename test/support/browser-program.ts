import { existsSync } from 'node:fs'
import type { LaunchOptions } from 'playwright-core'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]
const executablePath = INSTALLED.find((path) => existsSync(path))

/** Why a test of the dashboard is skipped; false where a Chromium is installed. */
export const SKIP_WITHOUT_BROWSER = executablePath === undefined && 'Chromium is not installed'

/** How to start the Chromium of the machine. A test may run as root, or in a container. */
export const BROWSER: LaunchOptions = {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-background-networking'],
}
