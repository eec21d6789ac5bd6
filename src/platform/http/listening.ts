import { OperatorError } from '../core/errors.ts'

type Named = { port: number; setting?: string | undefined }
export type Address = Named & ({ host: string } | { path: string })
export type Passed = Named & { fd: number }

const LOOPBACK = '127.0.0.1'

export function isLoopbackDefault(host: string): boolean {
  return host === LOOPBACK || host === 'localhost'
}

export function explainListening(
  error: NodeJS.ErrnoException,
  on: Address | Passed,
): OperatorError {
  const { port, setting = 'PORT' } = on
  if ('fd' in on && error.code === 'EADDRINUSE')
    return new OperatorError(
      `Port ${port} is in use by another program; stop that program or set ${setting}.`,
    )
  if ('fd' in on)
    return new OperatorError(
      `The socket that systemd passed for ${setting} ${port} cannot be used: ${error.message}.`,
    )
  if ('path' in on)
    return new OperatorError(`Cannot listen on the socket ${on.path}: ${error.message}.`)
  const { host } = on
  const sentence =
    error.code === 'EADDRINUSE'
      ? `Port ${port} on ${host} is in use by another program; stop that program or set ${setting}.`
      : error.code === 'EACCES'
        ? `Port ${port} needs privileges that this user does not have; set ${setting} to 1024 or higher.`
        : `Cannot listen on HOST ${host}, ${setting} ${port}: ${error.message}.`
  return new OperatorError(sentence, { cause: error.code })
}

export type PassedSockets = { http: readonly number[]; https: readonly number[] }

export const NO_SOCKETS: PassedSockets = { http: [], https: [] }

const FIRST_DESCRIPTOR = 3
/** `FileDescriptorName` of the HTTPS_PORT sockets; all others are for PORT. */
const HTTPS_NAME = 'https'

/**
 * Returns the sockets that systemd passed (sd_listen_fds(3)), and removes their variables, which would mislead child
 * processes.
 */
export function takePassedSockets(
  environment: Record<string, string | undefined>,
  pid: number,
): PassedSockets {
  const { LISTEN_PID, LISTEN_FDS, LISTEN_FDNAMES = '' } = environment
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES'])
    Reflect.deleteProperty(environment, name)
  if (Number(LISTEN_PID) !== pid) return NO_SOCKETS
  const names = LISTEN_FDNAMES.split(':')
  const descriptors = Array.from({ length: Number(LISTEN_FDS) }, (_, i) => FIRST_DESCRIPTOR + i)
  const isHttps = (fd: number) => names[fd - FIRST_DESCRIPTOR] === HTTPS_NAME
  return {
    http: descriptors.filter((fd) => !isHttps(fd)),
    https: descriptors.filter(isHttps),
  }
}
