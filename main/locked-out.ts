import { ownCommand } from '../gateway/base/own-command.ts'
import type { HostApi } from '../gateway/composition/host-api.ts'
import type { Locale } from '../shared/messages/format.ts'
import { type LockedOutAction, type LockedOutResult, lockedOutAction, lockedOutPage } from './locked-out-page.ts'
import { createPlainWindow, type PlainWindow } from './plain-window.ts'

type LockedOutDeps = Readonly<{
  shell: Pick<HostApi, 'letIn'>
  locale: () => Locale
  copy: (text: string) => void
  openLogin: () => void
  warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}>

/**
 * The window for users who cannot log in to the gateway on their own computer (docs/operations.md#locked-out). It does
 * what the command line does; anyone who can open it owns the data folder.
 */
export function createLockedOut({ shell, locale, copy, openLogin, warn }: LockedOutDeps): PlainWindow {
  let result: LockedOutResult | undefined
  const act = async (action: LockedOutAction) => {
    if (result?.kind === 'working') return
    if (action === 'open') {
      window.close()
      return openLogin()
    }
    if (action === 'copy') return void (result?.kind === 'password' && copy(result.password))
    result = { kind: 'working' }
    window.draw()
    result = await shell.letIn(action).catch((error: unknown): LockedOutResult => {
      warn('a way back failed', { error })
      return { kind: 'failed', said: error instanceof Error ? error.message : String(error) }
    })
    window.draw()
  }
  const window = createPlainWindow({
    partition: 'locked-out',
    width: 680,
    height: 640,
    page: () => lockedOutPage({ result, command: ownCommand() }, locale()),
    press(address) {
      const action = lockedOutAction(address)
      if (action) void act(action)
    },
    onClosed() {
      // A displayed password is not shown again when the window is next opened.
      if (result?.kind !== 'working') result = undefined
    },
  })
  return window
}
