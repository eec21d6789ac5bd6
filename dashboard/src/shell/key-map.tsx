import { useState } from 'react'
import { Popup } from '../kit/drawer.tsx'
import { CheckField } from '../kit/field.tsx'
import { areKeysOn, setKeysOn } from '../kit/keys.ts'
import { text } from '../text/shell.ts'
import { getPaletteKeys } from './palette-keys.ts'

/** Every key, and the switch that turns single keys off. */
export function KeyMap({ onClose }: { onClose: () => void }) {
  const [on, setOn] = useState(areKeysOn)
  const paletteKeys = getPaletteKeys()
  return (
    <Popup title={text.keys.title} onClose={onClose}>
      <dl className="grid grid-cols-[9rem_1fr] gap-x-4 gap-y-1 text-sm">
        {[[`${paletteKeys}  /`, text.nav.find], ...text.keys.list].map(([keys, action]) => (
          <div key={keys} className="contents">
            <dt className="font-mono">{keys}</dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <CheckField
        label={text.keys.on}
        hint={text.keys.onHint(paletteKeys)}
        value={on}
        onValue={(next) => {
          setOn(next)
          setKeysOn(next)
        }}
      />
    </Popup>
  )
}
