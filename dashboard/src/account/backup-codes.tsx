import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { downloadText } from '../kit/download.ts'
import { text } from '../text/account.ts'

/** Backup codes, which the server shows once. */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
  const list = codes.join('\n')
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">{text.account.codesOnce}</p>
      <ul
        aria-label={text.account.codes}
        className="grid grid-cols-2 gap-x-4 rounded border border-line bg-sunk p-3 font-mono text-sm"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton value={list} />
        <Button
          icon="download"
          onClick={() => downloadText('signpost-backup-codes.txt', 'text/plain', `${list}\n`)}
        >
          {text.actions.download}
        </Button>
      </div>
    </div>
  )
}
