import { PLACES } from '../../platform/limits/places.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { FileProcessEnded, FileProcesses } from '../../platform/work/file-process.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { createFileTurns } from '../../platform/work/file-turns.ts'
import { MAX_LOGO_PIXELS } from './containers.ts'
import type { PictureRequest, Inspected, Picture, Rgb } from './picture-process.ts'

export type Pictures = ReturnType<typeof createPictures>

const FILE = new URL('picture-process.ts', import.meta.url)
const DEADLINE_MS = 8_000

/** Decodes images one at a time in a separate process, so that redirects keep the other core. */
export function createPictures() {
  const processes = new FileProcesses<PictureRequest, unknown>(FILE, { deadlineMs: DEADLINE_MS })
  const turns = createFileTurns({ places: PLACES.images, plural: 'images' })

  function request(
    principal: Principal,
    signal: AbortSignal | undefined,
    bytes: Buffer,
    wanted: PictureRequest,
  ) {
    return turns.run(principal, signal, async () => {
      try {
        const [answer] = await Array.fromAsync(processes.read(bytes, wanted))
        return answer
      } catch (error) {
        if (error instanceof FileProcessEnded) return null
        throw error
      }
    })
  }

  async function inspect(
    principal: Principal,
    bytes: Buffer,
    signal?: AbortSignal,
  ): Promise<Picture> {
    const inspected = (await request(principal, signal, bytes, {
      as: 'picture',
    })) as Inspected | null
    if (inspected === null) throw damaged('is damaged, or takes too long to decode')
    if ('picture' in inspected) return inspected.picture
    if (inspected.refused === 'type')
      throw new ApiError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The file must be a PNG, JPEG, GIF, WebP or AVIF image.',
        [{ path: 'file', message: 'The file is no image of these types.', code: 'media_type' }],
      )
    throw damaged(inspected.fault)
  }

  async function drawLogo(
    principal: Principal,
    signal: AbortSignal | undefined,
    bytes: Buffer,
    size: number,
    background: Rgb,
  ): Promise<Buffer> {
    const drawn = await request(principal, signal, bytes, { as: 'logo', size, background })
    if (drawn) return Buffer.from(drawn as Uint8Array)
    throw invalid(
      'logo',
      `The logo is damaged, or has more than ${MAX_LOGO_PIXELS.toLocaleString('en')} pixels.`,
    )
  }

  return { inspect, drawLogo, [Symbol.asyncDispose]: () => processes.close() }
}

function damaged(fault: string) {
  return invalid('file', `The file ${fault}.`, 'invalid_image')
}
