import { useEffect, useState } from 'react'
import { text } from '../text/shared.ts'
import { Button, IconButton } from './button.tsx'

/** Copies a text, and says so for two seconds. */
function useCopy(value: string) {
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 2_000)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = () => void copyText(value).then(() => setCopied(true))
  return { isCopied, copy }
}

/** The clipboard of the browser, which pages without HTTPS lack; there, a selected field. */
export async function copyText(value: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(value)
  const field = document.createElement('textarea')
  field.value = value
  document.body.append(field)
  field.select()
  // eslint-disable-next-line typescript/no-deprecated -- the only way without HTTPS
  document.execCommand('copy')
  field.remove()
}

export function CopyButton({
  value,
  label,
  look = 'plain',
  hotkey,
  className = '',
}: {
  value: string
  label?: string
  look?: 'plain' | 'primary' | 'quiet'
  hotkey?: string
  className?: string
}) {
  const { isCopied, copy } = useCopy(value)
  return (
    <Button
      look={look}
      className={className}
      icon={isCopied ? 'check' : 'copy'}
      onClick={copy}
      {...(hotkey ? { hotkey } : {})}
    >
      <span aria-live="polite">
        {isCopied ? text.actions.copied : (label ?? text.actions.copy)}
      </span>
    </Button>
  )
}

export function CopyIcon({ value, label }: { value: string; label: string }) {
  const { isCopied, copy } = useCopy(value)
  return (
    <IconButton
      icon={isCopied ? 'check' : 'copy'}
      label={isCopied ? text.actions.copied : label}
      onClick={copy}
    />
  )
}
