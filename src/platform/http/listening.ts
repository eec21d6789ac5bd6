import { OperatorError } from '../core/errors.ts'

type Named = { port: number; setting?: string | undefined }
export type Address = Named & ({ host: string } | { path: string })
export type Passed = Named & { fd: number }

const LOOPBACK = '127.0.0.1'

/** For these hosts the server listens on ::1 as well. */
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
