import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { areKeysOn, isTyping, subscribeKeys } from '../kit/keys.ts'
import { lazyPart, withTexts } from '../kit/lazy-part.tsx'
import { DESTINATIONS } from '../kit/navigation.ts'
import { undoLatest } from '../kit/toast.ts'
import { PaletteField } from './palette-field.tsx'

const loadPalette = () => withTexts(() => import('./palette.tsx'))
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })))
const KeyMap = lazyPart(() => import('./key-map.tsx'), 'KeyMap')

const SEQUENCE_MS = 1_500
/** After the first paint. */
const IDLE_MS = 1_500
const PALETTE_EVENT = 'signpost:palette'

export function openPalette(): void {
  dispatchEvent(new Event(PALETTE_EVENT))
}

/** The keys of every page of a workspace: palette, new link, go to, undo, the list of keys. */
export function Keyboard() {
  const { id: workspaceId } = useWorkspace()
  const mayWrite = useMay('member')
  const navigate = useNavigate()
  const [shown, setShown] = useState<'palette' | 'keys' | null>(null)
  const [typed, setTyped] = useState('')
  const goAt = useRef(0)
  const keysOn = useSyncExternalStore(subscribeKeys, areKeysOn)
  useEffect(() => {
    const open = () => setShown('palette')
    addEventListener(PALETTE_EVENT, open)
    return () => removeEventListener(PALETTE_EVENT, open)
  }, [])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setShown('palette')
        return
      }
      if (!keysOn || isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return
      const key = event.key.toLowerCase()
      const isSequence = event.timeStamp - goAt.current < SEQUENCE_MS
      goAt.current = key === 'g' ? event.timeStamp : 0
      const destination = isSequence && DESTINATIONS.find((each) => each.key === key)
      if (destination) void navigate({ to: destination.to, params: { workspaceId } })
      else if (key === '/') setShown('palette')
      else if (key === '?') setShown('keys')
      else if (key === 'z') undoLatest()
      else if (key === 'c' && mayWrite)
        void navigate({ to: '/$workspaceId/links', params: { workspaceId }, search: { new: true } })
      else return
      event.preventDefault()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [keysOn, mayWrite, navigate, workspaceId])
  usePastedUrl(
    mayWrite,
    (url) =>
      void navigate({
        to: '/$workspaceId/links',
        params: { workspaceId },
        search: { new: true, url },
      }),
  )
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette().catch(() => {}), IDLE_MS)
    return () => clearTimeout(timer)
  }, [])
  const close = () => {
    setShown(null)
    setTyped('')
  }
  if (shown === 'keys') return <KeyMap onClose={close} />
  if (shown === null) return null
  return (
    <Suspense fallback={<PaletteField typed={typed} onTyped={setTyped} onClose={close} />}>
      <Palette typed={typed} onClose={close} onKeys={() => setShown('keys')} />
    </Suspense>
  )
}

/** An address that is pasted beside the fields becomes the destination of a new link. */
function usePastedUrl(mayWrite: boolean, onUrl: (url: string) => void): void {
  const latest = useRef(onUrl)
  useEffect(() => {
    latest.current = onUrl
  })
  useEffect(() => {
    if (!mayWrite) return
    const paste = (event: ClipboardEvent) => {
      const pasted = event.clipboardData?.getData('text/plain').trim() ?? ''
      if (!isTyping(event) && /^https?:\/\/\S+$/i.test(pasted)) latest.current(pasted)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [mayWrite])
}
