import { Link } from '@tanstack/react-router'
import { Empty } from '../kit/layout.tsx'
import { addMoreIcons } from '../kit/more-icon-paths.ts'
import { text } from '../text/en.ts'

addMoreIcons()

export function Missing() {
  return (
    <main>
      <Empty icon="map-pin" title={text.errors.noPage}>
        <Link to="/">{text.errors.goHome}</Link>
      </Empty>
    </main>
  )
}
