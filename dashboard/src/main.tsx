import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './tokens.css'
import { translateErrors } from './api/errors.ts'
import { InLanguage } from './kit/in-language.tsx'
import { queryClient } from './shell/query-client.ts'
import { preloadPage, router } from './shell/router.tsx'
import { applyStoredTheme } from './kit/theme.ts'
import { applyLanguage, textsLoaded } from './text/load.ts'
import { text } from './text/shared.ts'

applyStoredTheme()
applyLanguage()
preloadPage()
await textsLoaded()
translateErrors((code) => text.errors.byCode(code))

createRoot(document.querySelector('#app')!).render(
  <StrictMode>
    {/* The Content-Security-Policy allows no <style> elements. */}
    <CSPProvider disableStyleElements>
      <InLanguage>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </InLanguage>
    </CSPProvider>
  </StrictMode>,
)
