import { join } from 'node:path'
import { app, Menu, nativeImage, Tray } from 'electron'
import type { HostApi } from '../gateway/composition/host-api.ts'
import type { Translate } from './language.ts'
import type { LoginItem } from './login-item.ts'
import type { NoticeChoice } from './notice-kinds.ts'
import { headline, type TrayActions, type TrayState, trayTemplate } from './tray-menu.ts'

type TrayDeps = Readonly<{
  shell: Pick<HostApi, 'usageSince' | 'isPaused' | 'pause' | 'isShared'>
  address: string
  /** Speaks the language of now. */
  translate: Translate
  loginItem: LoginItem
  /** Whether the program goes on when its window is closed. */
  stays: Readonly<{ isOn: () => boolean; set: (isOn: boolean) => void }>
  /** What is shown in a corner of the screen. */
  notices: NoticeChoice
  updates: Readonly<{ isDaily: () => boolean; setDaily: (isOn: boolean) => void; open: () => void }>
  open: () => void
  copyAddress: () => void
  backUp: () => void
  lockedOut: () => void
  /** Shares the gateway on the local network, or ends that; resolves once it is done, or shown why it is not. */
  share: (isOn: boolean) => Promise<void>
}>

/** What was asked for today is looked up so often. */
const REFRESH_MS = 30_000

/** The icon beside the clock; `show` draws its menu again, in the language of now. */
interface TrayIcon {
  show(): void
}

/**
 * Puts the icon up. A system without a place for one makes no difference to the rest: the window and the menu have all that
 * matters.
 */
export function createTray(deps: TrayDeps): TrayIcon {
  const { shell, address, translate, loginItem, stays, notices, updates, open, copyAddress, backUp, lockedOut, share } =
    deps
  let tray: Tray | undefined
  let today: TrayState['today']
  let shown = ''
  const actions: TrayActions = {
    open,
    copyAddress,
    backUp,
    lockedOut,
    pause: (isOn) => after(() => shell.pause(isOn)),
    share: (isOn) => void share(isOn).then(() => after(() => {})),
    startAtLogin: (isOn) => after(() => loginItem.set(isOn)),
    stayInTray: (isOn) => after(() => stays.set(isOn)),
    showNotices: (kind, isOn) => after(() => notices.set(kind, isOn)),
    checkUpdates: () => updates.open(),
    checkDaily: (isOn) => after(() => updates.setDaily(isOn)),
    quit: () => app.quit(),
  }
  const draw = () => {
    const state = {
      address,
      today,
      isPaused: shell.isPaused(),
      isShared: shell.isShared(),
      startsAtLogin: loginItem.isOn(),
      staysInTray: stays.isOn(),
      notices: notices.shown(),
      checksDaily: updates.isDaily(),
    }
    const template = trayTemplate(translate, state, actions)
    // A menu that is open closes when it is replaced.
    const now = JSON.stringify(template)
    if (!tray || now === shown) return
    shown = now
    tray.setToolTip(headline(translate, state))
    tray.setContextMenu(Menu.buildFromTemplate(template))
  }
  const after = (step: () => void) => {
    step()
    // The system has ticked the entry by itself, also where the step changed nothing.
    shown = ''
    draw()
  }
  const refresh = async () => {
    today = await shell.usageSince(midnight()).catch(() => today)
    draw()
  }
  try {
    tray = new Tray(nativeImage.createFromPath(imageFile(process.platform)))
    tray.on('click', open)
  } catch {
    return { show: () => {} }
  }
  draw()
  void refresh()
  setInterval(() => void refresh(), REFRESH_MS).unref()
  return { show: draw }
}

/** macOS draws its own in black or white, from a picture named so. */
const imageFile = (platform: NodeJS.Platform): string =>
  join(app.getAppPath(), 'resources', 'tray', platform === 'darwin' ? 'trayTemplate.png' : 'tray.png')

/** The hour in which today began here, in unix seconds. */
const midnight = (): number => Math.floor(new Date().setHours(0, 0, 0, 0) / 1000)
