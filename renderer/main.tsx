import 'normalize.css/normalize.css'
import '@blueprintjs/core/lib/css/blueprint.css'
import './console.css'
import { BlueprintProvider, FocusStyleManager } from '@blueprintjs/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { watchConnection } from './api/connection.ts'
import { homePageQuery } from './api/home-page.ts'
import { pairKeyPresses } from './api/key-presses.ts'
import { loginPath, onSessionEnd } from './api/session.ts'
import { followOtherWindows } from './api/sign-in-again.ts'
import { followStatus } from './api/status.ts'
import { clearCallCache } from './api/use-call.ts'
import { fetchLater } from './components/later.tsx'
import { startTranslation } from './i18n.ts'
import { createRouter } from './routes.tsx'

FocusStyleManager.onlyShowFocusOnTabs()
pairKeyPresses()
fetchLater(async () => (await import('./api/focus-management.ts')).manageFocus())

/**
 * No query is retried automatically, since the gateway would refuse again. The gateway may run on this machine, so
 * the browser's network state is ignored.
 */
const queries = new QueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
const router = createRouter()
onSessionEnd(() => {
  clearCallCache(queries)
  void router.navigate(loginPath(router.state.location), { replace: true })
})
followOtherWindows()
watchConnection({
  onBack: () => void queries.invalidateQueries(),
  onStatus: (answer) => followStatus(queries, answer),
})

// The home page may start with the operator's own page.
if (location.pathname === '/') void queries.prefetchQuery(homePageQuery)

// Pages load in parallel with the texts.
await startTranslation()

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <BlueprintProvider>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </BlueprintProvider>
  </StrictMode>,
)
