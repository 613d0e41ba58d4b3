import type { Page } from '@playwright/test'
import type { ConnectPlan, ConnectStatus } from '../../shared/connect/connect-protocol.ts'
import { chooseExample } from './screen-acts.ts'

const path = '/home/ada/.claude/settings.json'
const added = (text: string) => ({ kind: 'added', text }) as const
const kept = (text: string) => ({ kind: 'kept', text }) as const
const plan: ConnectPlan = {
  seal: '0'.repeat(64),
  files: [
    {
      path,
      isNew: false,
      lines: [
        kept('{'),
        kept(
          '  "permissions": { "allow": ["Bash(npm run test:*)", "Read(~/.zshrc)", "WebFetch(domain:docs.example.org)"] },',
        ),
        kept('  "env": {'),
        kept('    "DISABLE_TELEMETRY": "1",'),
        { kind: 'taken', text: '    "ANTHROPIC_MODEL": "claude-opus-4-8"' },
        added('    "ANTHROPIC_MODEL": "gpt-4o",'),
        added('    "ANTHROPIC_BASE_URL": "http://127.0.0.1:6411",'),
        added('    "ANTHROPIC_AUTH_TOKEN": "••••"'),
        kept('  }'),
        kept('}'),
      ],
    },
  ],
}
const status = (over: Partial<ConnectStatus> = {}): ConnectStatus => ({
  isSetUp: false,
  isChanged: false,
  paths: [path],
  address: '',
  isMoved: false,
  ...over,
})

/** States of Claude Code as the desktop program would report them, and how many button presses lead to each. */
const fixtures = {
  rest: { status: status(), presses: 0 },
  plan: { status: status(), presses: 1 },
  done: { status: status({ isSetUp: true }), presses: 2 },
  changed: { status: status({ isSetUp: true, isChanged: true }), presses: 0 },
  broken: { problem: { problem: 'broken', path, detail: '12:3 CommaExpected' } as const, status: status(), presses: 1 },
} satisfies Record<string, { status: ConnectStatus; problem?: object; presses: number }>
export type SetUpState = keyof typeof fixtures
export const setUpStates = Object.keys(fixtures) as SetUpState[]

/** Fakes the desktop program around the page, and advances the setup of a client to the given state. */
export const setsUp =
  (state: SetUpState, client: 'claude-code' | 'codex' = 'claude-code') =>
  async (page: Page) => {
    const fixture = { problem: null, trial: { ok: true, ms: 412 }, plan, ...fixtures[state] }
    await chooseExample(client === 'codex' ? 'claude-code' : 'codex')(page)
    await page.evaluate((said) => {
      const connect = {
        status: async () => ({ 'claude-code': said.status, codex: said.status }),
        plan: async () => said.problem ?? said.plan,
        apply: async () => ({ done: true, trial: said.trial }),
        undo: async (id: string) => ({ exact: true, kept: 0, ...(id === 'codex' ? { leavesProvider: true } : {}) }),
      }
      Object.assign(window, { desktop: { platform: 'linux', ticket: async () => null, connect } })
    }, fixture)
    await chooseExample(client)(page)
    const button = page.locator('.set-up .bp6-button').first()
    await button.waitFor()
    for (let press = 0; press < fixtures[state].presses; press += 1) {
      await button.click()
      await page
        .locator(['.set-up figure, .set-up-problem', '.set-up [role=status] .bp6-callout'][press] ?? '')
        .first()
        .waitFor()
    }
  }

const moved: ConnectPlan = {
  seal: '1'.repeat(64),
  files: [
    {
      path,
      isNew: false,
      lines: [
        kept('  "env": {'),
        { kind: 'taken', text: '    "ANTHROPIC_BASE_URL": "http://127.0.0.1:6411",' },
        added('    "ANTHROPIC_BASE_URL": "http://127.0.0.1:6412",'),
      ],
    },
  ],
}

/**
 * Fakes a desktop program whose gateway has changed its port; the clients on this computer use the old one until they
 * are updated.
 */
export const movesPrograms = async (page: Page, at: 'told' | 'plan' | 'done' = 'told') => {
  await page.evaluate(
    ([there, plan]) => {
      const old = { ...there, isSetUp: true, isMoved: true, address: 'http://127.0.0.1:6411' }
      const statuses: Record<string, ConnectStatus> = { 'claude-code': old, codex: old }
      const connect = {
        status: async () => ({ ...statuses }),
        planMove: async (client: string) => (client === 'codex' ? { ...plan, files: [] } : plan),
        async move({ client }: { client: string }) {
          statuses[client] = { ...old, isMoved: false, address: 'http://127.0.0.1:6412' }
          return { done: true }
        },
      }
      Object.assign(window, { desktop: { platform: 'linux', ticket: async () => null, connect } })
      history.pushState({ idx: history.state.idx + 1 }, '', '/nowhere')
      dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
    },
    [status(), moved] as const,
  )
  await page.locator('main a[href="/"]').waitFor()
  await page.evaluate(() => {
    history.pushState({ idx: history.state.idx + 1 }, '', '/connect/client')
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  })
  const button = page.locator('.set-up .bp6-button').first()
  await button.waitFor()
  if (at === 'told') return
  await button.click()
  await page.locator('.set-up figure').waitFor()
  if (at === 'plan') return
  await button.click()
  await page.locator('.set-up .bp6-intent-success').waitFor()
}
