import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './tokens.css'
import { applyStoredTheme } from './kit/theme.ts'
import { VisitPage } from './share/visit-page.tsx'

applyStoredTheme()

const root = document.querySelector<HTMLElement>('#app')!
const [token = ''] = location.pathname.split('/').slice(2)

createRoot(root).render(
  <StrictMode>
    <VisitPage token={decodeURIComponent(token)} isGone={root.dataset.state === 'gone'} />
  </StrictMode>,
)
