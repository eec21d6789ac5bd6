/**
 * Builds the packages of the clients, as they would be published, into `.launch/packages`, and prints their paths.
 *
 * Run it with: npm run -s pack
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../bin/launcher/checkout.js'
import { findNpm } from '../bin/launcher/install.js'

const CLIENTS = ['typescript', 'cli']
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const target = join(ROOT, '.launch/packages')

mkdirSync(target, { recursive: true })
for (const client of CLIENTS) {
  const cwd = join(ROOT, 'clients', client)
  rmSync(join(cwd, 'dist'), { recursive: true, force: true })
  execFileSync(process.execPath, [TSC, '-p', '.'], { cwd, stdio: 'inherit' })
  const [npm, ...first] = findNpm()
  const args = [...first, 'pack', '--pack-destination', target, '--loglevel=error']
  const name = execFileSync(npm, args, { cwd, encoding: 'utf8' }).trim()
  process.stdout.write(`${join(target, name)}\n`)
}
