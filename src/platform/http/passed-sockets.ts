/** Descriptors of sockets that the service manager opened, and keeps open over a restart. */
export type PassedSockets = { http: readonly number[]; https: readonly number[] }

export const NO_SOCKETS: PassedSockets = { http: [], https: [] }

const FIRST_DESCRIPTOR = 3
/** `FileDescriptorName` of the HTTPS_PORT sockets; all others are for PORT. */
const HTTPS_NAME = 'https'

/**
 * Returns the sockets that systemd passed to process `pid` (sd_listen_fds(3)), and removes their variables, which would
 * mislead child processes.
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
