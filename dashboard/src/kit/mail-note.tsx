import { useQuery } from '@tanstack/react-query'
import { providersQuery } from '../api/providers.ts'
import { text } from '../text/shared.ts'
import { Icon } from './icon.tsx'

/** The place of a mail, on a server without a mail server; nothing on any other. */
export function MailNote() {
  const settings = useQuery(providersQuery).data?.meta
  if (settings?.mail !== 'outbox') return null
  const { outboxPath } = settings
  return (
    <div className="flex items-start gap-2 rounded border border-edge p-3 text-sm">
      <Icon name="mail" className="mt-0.5 text-soft" />
      {outboxPath === null ? (
        <p>{text.mail.askOperator}</p>
      ) : (
        <div className="flex min-w-0 flex-col gap-1">
          <p>{text.mail.inFolder}</p>
          <code className="font-mono break-all">{outboxPath}</code>
          <p>{text.mail.command}</p>
          <code className="font-mono">npm run -s signpost -- mails</code>
        </div>
      )}
    </div>
  )
}
