import { Link } from '@tanstack/react-router'
import { Empty } from '../kit/layout.tsx'
import { addIcons } from '../kit/icon.tsx'
import { MORE_PATHS } from '../kit/more-icon-paths.ts'
import { text } from '../text/shared.ts'

addIcons(MORE_PATHS)

export function Missing() {
  return (
    <main>
      <Empty icon="map-pin" title={text.errors.noPage}>
        <Link to="/">{text.errors.goHome}</Link>
      </Empty>
    </main>
  )
}
