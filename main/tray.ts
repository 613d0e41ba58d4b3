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
  translate: Translate
  loginItem: LoginItem
  stays: Readonly<{ isOn: () => boolean; set: (isOn: boolean) => void }>
  notices: NoticeChoice
  updates: Readonly<{ isDaily: () => boolean; setDaily: (isOn: boolean) => void; open: () => void }>
  open: () => void
  copyAddress: () => void
  backUp: () => void
  lockedOut: () => void
  /** Starts or stops sharing; resolves when it is done, or when the failure has been shown. */
  share: (isOn: boolean) => Promise<void>
}>

const REFRESH_MS = 30_000

/** The tray icon; `show` redraws its menu, for example in another language. */
interface TrayIcon {
  show(): void
}

/** Creates the tray icon. A system without a tray is fine: window and menu have everything essential. */
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
    // Replacing the menu would close it if it is open.
    const now = JSON.stringify(template)
    if (!tray || now === shown) return
    shown = now
    tray.setToolTip(headline(translate, state))
    tray.setContextMenu(Menu.buildFromTemplate(template))
  }
  const after = (step: () => void) => {
    step()
    // Redrawn even if the step changed nothing, because the system itself has toggled the check mark.
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

/** macOS renders template images, identified by this name, in black or white. */
const imageFile = (platform: NodeJS.Platform): string =>
  join(app.getAppPath(), 'resources', 'tray', platform === 'darwin' ? 'trayTemplate.png' : 'tray.png')

/** The start of the local day, in unix seconds. */
const midnight = (): number => Math.floor(new Date().setHours(0, 0, 0, 0) / 1000)
