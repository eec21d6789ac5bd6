import { useState } from 'react'
import { api, ask } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { downloadBlob } from '../kit/download.ts'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField } from '../kit/field.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/links.ts'
import { PLAIN_STYLE, problemOf, QrStyleFields, toQuery } from './qr-style.tsx'
import type { Link } from './queries.ts'

const FORMATS = ['png', 'svg', 'pdf'] as const

/** The codes of the selected links as one file. */
export function QrCodesPopup({ links, onClose }: { links: readonly Link[]; onClose: () => void }) {
  const [style, setStyle] = useState(PLAIN_STYLE)
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('png')
  const download = useAction(
    async () => {
      const { margin, ...look } = toQuery(style)
      const ids = links.map(({ id }) => id)
      const body = { ...look, ids, format, margin: Number(margin), size: 1024 }
      return (await ask(api.POST('/links/qr', { body, parseAs: 'blob' }))) as Blob
    },
    {
      showsErrors: true,
      refreshes: [],
      onDone: (archive) => {
        downloadBlob('qr-codes.zip', archive)
        onClose()
      },
    },
  )
  return (
    <Popup
      title={text.linkList.qrCodesOf(links.length)}
      onClose={onClose}
      foot={
        <Button
          look="primary"
          icon="download"
          isBusy={download.isPending}
          disabled={problemOf(style) !== null}
          onClick={() => download.mutate()}
        >
          {text.linkList.downloadZip}
        </Button>
      }
    >
      <QrStyleFields style={style} onStyle={setStyle} />
      <SelectField
        label={text.linkList.format}
        value={format}
        options={FORMATS.map((value) => ({ value, label: value.toUpperCase() }))}
        onValue={setFormat}
      />
      <ErrorNote error={download.error} />
    </Popup>
  )
}
