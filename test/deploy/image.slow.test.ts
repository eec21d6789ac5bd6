import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { freshDataDir } from '../support/program.ts'

const ROOT = join(import.meta.dirname, '../..')
const DOCKERFILE = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
/** An unprivileged user and group of every Debian system. */
const UID = 65_534

/** As a container with a read-only root: a user without rights may write to the folder alone. */
const ON_READ_ONLY_ROOT = `
mount --bind "$1" "$1" && mount -o remount,bind,ro / || exit 75
shift
exec setpriv --reuid ${UID} --regid ${UID} --clear-groups --no-new-privs "$@"`

function isolated(command: readonly string[]): string[] {
  return ['--mount', '--propagation', 'private', ...command]
}

const canIsolate =
  process.getuid?.() === 0 &&
  spawnSync('unshare', isolated(['mount', '-o', 'remount,bind,ro', '/'])).status === 0 &&
  spawnSync('setpriv', ['--version']).status === 0

test(
  'the command of the image serves for an ordinary user on a read-only root',
  { skip: canIsolate ? false : 'a read-only root needs root, unshare and setpriv' },
  async (t) => {
    const command = /^CMD (.*)$/m.exec(DOCKERFILE)![1]!
    const [node, ...args] = JSON.parse(command) as string[]
    const { start } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts
    assert.equal(node, 'node')
    assert.ok(start.includes(` ${args.slice(0, -1).join(' ')} `), 'the options of npm start')
    const dataDir = freshDataDir(t)
    chownSync(dataDir, UID, UID)
    const port = await freePort()
    const script = ['sh', '-c', ON_READ_ONLY_ROOT, 'sh', dataDir, process.execPath, ...args]
    const child = spawn('unshare', isolated(script), {
      cwd: ROOT,
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        HOST: '0.0.0.0',
        PORT: String(port),
        HOME: dataDir,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => (output += String(chunk)))
    const ended = once(child, 'close')
    t.after(() => child.kill('SIGTERM'))
    await eventually(async () => {
      assert.equal(child.exitCode, null, output)
      assert.equal((await fetch(`http://127.0.0.1:${port}/ready`)).status, 200, output)
    }, 180_000)
    child.kill('SIGTERM')
    assert.deepEqual((await ended)[0], 0, output)
    assert.doesNotMatch(output, /EROFS|read-only file system/i)
  },
)

test('the image has an ordinary user, one data folder, and a health check that the program knows', () => {
  const stages = DOCKERFILE.split(/^FROM /m).slice(1)
  const last = stages.at(-1)!
  assert.match(last, /^USER [1-9]\d*$/m)
  assert.deepEqual(last.match(/^VOLUME .*/gm), ['VOLUME /data'])
  assert.match(last, /^HEALTHCHECK .*"node", "src\/cli\.ts", "health"/m)
  assert.doesNotMatch(last, /^RUN .*npm/m)
  // The first copy alone decides whether packages are installed again.
  const [packages] = /^COPY ((?:\S+ )+)\.\/$/m.exec(stages[0]!)!.slice(1)
  for (const file of packages!.trim().split(' ')) assert.ok(existsSync(join(ROOT, file)), file)
  assert.doesNotMatch(last, /^node:/, 'the packages have their Node')
  for (const made of ['.git', '.launch', 'data', 'node_modules'])
    assert.ok(ignoredByDocker().includes(made))
})

test('commands in the container run what the image holds', () => {
  const copied = Array.from(
    DOCKERFILE.matchAll(/^COPY --from=build \/app\/(\S+)/gm),
    ([, name]) => name!,
  )
  for (const file of ['deploy/compose.yaml', 'docs/install.md', 'deploy/Dockerfile']) {
    const text = readFileSync(join(ROOT, file), 'utf8')
    const programs = Array.from(
      text.matchAll(/exec (?:-T )?signpost node (\S+)/g),
      ([, path]) => path!,
    )
    assert.ok(programs.length > 0, file)
    for (const path of programs) {
      assert.ok(existsSync(join(ROOT, path)), path)
      assert.ok(copied.includes(path.split('/')[0]!), `${file}: ${path} is not in the image`)
    }
  }
})

test('neither git nor the image takes a file with secrets', (t) => {
  for (const pattern of ['**/.env', '**/.env.*']) assert.ok(ignoredByDocker().includes(pattern))
  const check = (file: string) =>
    spawnSync('git', ['check-ignore', '--quiet', '--no-index', file], { cwd: ROOT }).status
  if (check('node_modules') !== 0) return t.skip('this is no clone of git')
  for (const file of ['.env', 'deploy/.env', '.env.production']) assert.equal(check(file), 0, file)
  for (const file of ['.env.example', 'deploy/env.example']) assert.equal(check(file), 1, file)
  return undefined
})

/** The lines of the one ignore file: a second one beside the Dockerfile would replace it. */
function ignoredByDocker(): string[] {
  assert.ok(!existsSync(join(ROOT, 'deploy/Dockerfile.dockerignore')))
  return readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n')
}

test('the compose files work as their first lines say', () => {
  const example = readFileSync(join(ROOT, 'deploy/env.example'), 'utf8')
  for (const file of ['compose.yaml', 'compose.external.yaml']) {
    const text = readFileSync(join(ROOT, 'deploy', file), 'utf8')
    const [, from, to] = /^# {3}cp (\S+) (\S+)/m.exec(text)!
    assert.deepEqual([from, to], ['deploy/env.example', 'deploy/.env'])
    for (const [, command] of text.matchAll(/^# {3}docker compose (.*)$/gm))
      assert.ok(command!.startsWith(`--env-file ${to} -f deploy/${file} `), command)
    // A path in a compose file begins in its folder.
    assert.match(text, /^ {4}env_file: \[\.env\]$/m)
    for (const [, name] of text.matchAll(/\$\{(\w+)/g))
      assert.match(example, new RegExp(`^#?${name}=`, 'm'), name)
  }
})

test('both compose files run the server without rights, on a read-only root, for loopback', () => {
  for (const file of ['compose.yaml', 'compose.external.yaml']) {
    const text = readFileSync(join(ROOT, 'deploy', file), 'utf8')
    const server = /^ {2}signpost:\n(?:^ {4}.*\n)+/m.exec(text)![0]
    for (const line of [
      'read_only: true',
      'cap_drop: [ALL]',
      "security_opt: ['no-new-privileges:true']",
      "ports: ['127.0.0.1:3000:3000']",
      'volumes: [data:/data]',
    ])
      assert.ok(server.includes(`    ${line}\n`), `${file}: ${line}`)
    assert.equal(text.match(/^ {4}ports:/gm)?.length, 1, 'no database has a port')
  }
})
