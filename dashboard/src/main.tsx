import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './tokens.css'
import { queryClient } from './shell/query-client.ts'
import { preloadPage, router } from './shell/router.tsx'
import { applyStoredTheme } from './kit/theme.ts'

applyStoredTheme()
preloadPage()

createRoot(document.querySelector('#app')!).render(
  <StrictMode>
    {/* The Content-Security-Policy allows no <style> elements. */}
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
)
