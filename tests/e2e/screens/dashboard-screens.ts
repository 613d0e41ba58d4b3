import { fail, holdBack } from '../screen-acts.ts'
import { busyDashboard } from '../stub-dashboard.ts'
import { type Screen, signedIn } from './screen.ts'

const address = /\/api\/data[/?]/
const at = { page: 'dashboard', at: 'busy', ...signedIn } as const
const stubbed = { ...at, isLoadedAnew: true, prepare: busyDashboard() } as const

export const dashboardScreens: readonly Screen[] = [
  { page: 'dashboard', state: 'empty', path: '/detail', at: 'empty', ...signedIn },
  { ...at, state: 'in-use', path: '/detail' },
  { ...stubbed, state: 'filled', path: '/detail', isWalked: true },
  { ...stubbed, state: 'weeks', path: '/detail?by=week' },
  { ...stubbed, state: 'many-models', path: '/detail?by=day', prepare: busyDashboard(30) },
  {
    ...stubbed,
    state: 'requests',
    path: '/detail',
    act: (page) => page.locator('.dash-head [role=radio]').nth(1).click(),
  },
  {
    ...stubbed,
    state: 'table',
    path: '/detail',
    act: (page) => page.locator('.dash-head [role=radio]').nth(2).click(),
  },
  { ...at, state: 'loading', path: '/detail', prepare: holdBack(address) },
  { ...at, state: 'error', path: '/detail', isNoisy: true, prepare: fail(address) },
]
