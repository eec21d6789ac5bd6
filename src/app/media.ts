import type { Dependencies } from '../services/dependencies.ts'
import type { ShortHost } from '../services/links/short-host.ts'
import { createPictures } from '../services/media/pictures.ts'
import { createUploads } from '../services/media/uploads.ts'

type Deps = Pick<Dependencies, 'sql' | 'clock' | 'audit' | 'limit' | 'keepAnswer'> & {
  shortHost: () => Pick<ShortHost, 'origin'>
}

export type Media = ReturnType<typeof openMedia>

/** Images of workspaces, which a process of its own decodes. */
export function openMedia({ shortHost, ...deps }: Deps) {
  const pictures = createPictures()
  /** The address of an image on the shared host. */
  const toPublicUrl = (id: string) => `${shortHost().origin}/media-public/${id}`
  return {
    store: createUploads({ ...deps, pictures, toPublicUrl }).storeImage,
    drawLogo: pictures.drawLogo,
    toPublicUrl,
    [Symbol.asyncDispose]: () => pictures[Symbol.asyncDispose](),
  }
}
