import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from '../../test/support/certificates.ts'
import { freePort } from '../../test/support/free-port.ts'
import { eventually } from '../../test/support/eventually.ts'
import { spawnPinned } from './child-process.ts'

/**
 * nginx with one worker on core 0, which answers every request with a fixed 302 and writes an access log. With a
 * certificate it serves https, and resumes sessions by tickets.
 * @param folder for its files
 */
export async function startNginx(
  folder: string,
  certificate: Certificate | null = null,
): Promise<{ port: number; child: ChildProcess; stop: () => Promise<void> }> {
  const [port, plainPort] = await Promise.all([freePort(), freePort()])
  const config = join(folder, 'nginx.conf')
  const [cert, key] = [join(folder, 'nginx.crt'), join(folder, 'nginx.key')]
  if (certificate) {
    writeFileSync(cert, certificate.cert)
    writeFileSync(key, certificate.key)
  }
  const listen = certificate
    ? `listen 127.0.0.1:${port} ssl; ssl_certificate ${cert}; ssl_certificate_key ${key};
       ssl_protocols TLSv1.2 TLSv1.3; listen 127.0.0.1:${plainPort};`
    : `listen 127.0.0.1:${port};`
  writeFileSync(
    config,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
     events { worker_connections 20000; }
     http { access_log ${folder}/access.log; keepalive_requests 1000000000;
       client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/fastcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
       server { ${listen}
         location / { return 302 https://example.com/landing/page?id=12345; } } }`,
  )
  const child = spawnPinned(0, ['nginx', '-p', folder, '-c', config])
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const probed = certificate ? plainPort : port
  await eventually(() => fetch(`http://127.0.0.1:${probed}/`, { redirect: 'manual' }))
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  return { port, child, stop }
}
