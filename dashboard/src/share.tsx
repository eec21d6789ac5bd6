import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './tokens.css'
import { applyStoredTheme } from './kit/theme.ts'
import { VisitPage } from './share/visit-page.tsx'
import { applyLanguage, textsLoaded } from './text/load.ts'

applyStoredTheme()
applyLanguage()

const root = document.querySelector<HTMLElement>('#app')!
const [token = ''] = location.pathname.split('/').slice(2)

function render(): void {
  createRoot(root).render(
    <StrictMode>
      <VisitPage token={decodeURIComponent(token)} isGone={root.dataset.state === 'gone'} />
    </StrictMode>,
  )
}
void textsLoaded().then(render)
