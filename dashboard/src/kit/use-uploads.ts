import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { uploadImage, type Media } from '../api/media.ts'
import { useWorkspace } from '../api/workspace.ts'
import { text } from '../text/media.ts'

/** A file on its way; `error` says why it was refused. */
export type Upload = { key: number; name: string; share: number; error: string | null }

const MAX_BYTES = 5 * 1024 * 1024

/** Uploads files one after the other, and keeps those that were refused until they are dismissed. */
export function useUploads(onUploaded?: (media: Media) => void) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [uploads, setUploads] = useState<readonly Upload[]>([])
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const nextKey = useRef(0)

  const change = (key: number, part: Partial<Upload>) =>
    setUploads((now) => now.map((each) => (each.key === key ? { ...each, ...part } : each)))
  const dismiss = (key: number) => setUploads((now) => now.filter((each) => each.key !== key))

  async function send(key: number, file: File): Promise<void> {
    try {
      if (file.size > MAX_BYTES) throw new Error(text.media.tooLarge)
      const media = await uploadImage(file, (share) => change(key, { share }))
      dismiss(key)
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'media'] })
      onUploaded?.(media)
    } catch (error) {
      change(key, { error: (error as Error).message })
    }
  }

  function add(files: Iterable<File>): void {
    for (const file of files) {
      const key = nextKey.current++
      setUploads((now) => [...now, { key, name: file.name, share: 0, error: null }])
      last.current = last.current.then(() => send(key, file))
    }
  }

  return { uploads, add, dismiss }
}
