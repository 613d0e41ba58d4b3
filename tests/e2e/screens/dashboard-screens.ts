import { fail, holdBack } from '../screen-acts.ts'
import { busyDashboard } from '../stub-dashboard.ts'
import { type Screen, signedIn } from './screen.ts'

const address = /\/api\/data[/?]/
const at = { page: 'dashboard', at: 'busy', ...signedIn } as const
const stubbed = { ...at, isLoadedAnew: true, prepare: busyDashboard() } as const

export const dashboardScreens: readonly Screen[] = [
  { page: 'dashboard', state: 'empty', path: '/', at: 'empty', ...signedIn },
  { ...at, state: 'in-use', path: '/' },
  { ...stubbed, state: 'filled', path: '/', isWalked: true },
  { ...stubbed, state: 'weeks', path: '/?by=week' },
  { ...stubbed, state: 'many-models', path: '/?by=day', prepare: busyDashboard(30) },
  {
    ...stubbed,
    state: 'requests',
    path: '/',
    act: (page) => page.locator('.dash-head [role=radio]').nth(1).click(),
  },
  {
    ...stubbed,
    state: 'table',
    path: '/',
    act: (page) => page.locator('.dash-head [role=radio]').nth(2).click(),
  },
  { ...at, state: 'loading', path: '/', prepare: holdBack(address) },
  { ...at, state: 'error', path: '/', isNoisy: true, prepare: fail(address) },
]
