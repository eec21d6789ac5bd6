import { api, ask, fileUrl, workspaceHeaders, type Schemas } from './client.ts'
import { noteAnswer } from './connection.ts'
import { errorOf, unreachable } from './errors.ts'
import { pagedQuery } from './pages.ts'
import { pageUser, waitForSignIn } from './session-gate.ts'

export type Media = Schemas['Media']

const PAGE_ROWS = 60

/** The images of the workspace, newest first. */
export function mediaQuery(workspaceId: string, search = '') {
  const query = { limit: PAGE_ROWS, ...(search !== '' && { search }) }
  return pagedQuery([workspaceId, 'media', search], (page, signal) =>
    ask(api.GET('/media', { params: { query: { ...page, ...query } }, signal })),
  )
}

/** The address of an uploaded image for an `<img>` of the dashboard. */
export function imageUrl(id: string): string {
  return fileUrl(`/media/${id}/content`)
}

type Answer = { status: number; headers: Headers; body: unknown }

/**
 * Uploads an image, again after a sign-in where the session was over. By XMLHttpRequest, since fetch tells nothing of
 * the progress of a body.
 * @param onProgress gets the share of the bytes that are sent, from 0 to 1
 * @throws ApiError
 */
export async function uploadImage(file: File, onProgress: (share: number) => void): Promise<Media> {
  for (;;) {
    const { status, headers, body } = await post(file, onProgress)
    if (status === 201) return (body as { data: Media }).data
    const isSignedOut = status === 401 && pageUser() !== null
    if (!isSignedOut || !(await waitForSignIn('signed-out')))
      throw errorOf(body, { status, headers })
  }
}

function post(file: File, onProgress: (share: number) => void): Promise<Answer> {
  const form = new FormData()
  form.append('file', file, file.name)
  const request = new XMLHttpRequest()
  request.open('POST', '/v1/media')
  request.responseType = 'json'
  for (const [name, value] of Object.entries(workspaceHeaders()))
    request.setRequestHeader(name, value)
  return new Promise((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    )
    request.addEventListener('load', () => {
      const headers = new Headers()
      for (const name of ['retry-after', 'x-request-id']) {
        const value = request.getResponseHeader(name)
        if (value !== null) headers.set(name, value)
      }
      resolve({ status: request.status, headers, body: request.response as unknown })
    })
    request.addEventListener('error', () => {
      noteAnswer(null)
      reject(unreachable())
    })
    request.send(form)
  })
}
