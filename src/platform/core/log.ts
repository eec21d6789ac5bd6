import pino, { type DestinationStream, type Logger } from 'pino'

export type Log = Logger

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'apiKey',
  'key',
  'secret',
  'secretKey',
  'token',
  'databaseUrl',
  'clickhouseUrl',
  'smtpUrl',
]

/** PostgreSQL's `detail`, `where` and parameters contain values of rows, so they are left out. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return error
  const { type, message, stack } = pino.stdSerializers.err(error)
  const { code } = error as { code?: unknown }
  return { type, message, ...(code !== undefined && { code }), stack }
}

export function openLog(level: string, stream: DestinationStream = process.stdout): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['', '*.', '*.*.'].flatMap((at) => [
          ...SECRET_FIELDS.map((field) => `${at}${field}`),
          `${at.replace(/\.$/, '')}["set-cookie"]`,
        ]),
        censor: '[redacted]',
      },
    },
    stream,
  )
}
