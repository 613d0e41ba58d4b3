import type { MenuItemConstructorOptions } from 'electron'
import type { Translate } from './language.ts'
import { type NoticeKind, noticesItem } from './notice-kinds.ts'

export type TrayState = Readonly<{
  address: string
  isPaused: boolean
  isShared: boolean
  /** Today's figures; undefined until known. */
  today: Readonly<{ calls: number; errors: number; cost: string }> | undefined
  startsAtLogin: boolean
  staysInTray: boolean
  checksDaily: boolean
  notices: readonly NoticeKind[]
}>

export type TrayActions = Readonly<{
  open(): void
  copyAddress(): void
  pause(isOn: boolean): void
  backUp(): void
  lockedOut(): void
  share(isOn: boolean): void
  startAtLogin(isOn: boolean): void
  stayInTray(isOn: boolean): void
  checkUpdates(): void
  checkDaily(isOn: boolean): void
  showNotices(kind: NoticeKind, isOn: boolean): void
  quit(): void
}>

type Item = MenuItemConstructorOptions

const separator: Item = { type: 'separator' }

/** The tray menu: state first, then actions. */
export const trayTemplate = (translate: Translate, state: TrayState, actions: TrayActions): Item[] => [
  { label: headline(translate, state), enabled: false },
  ...usage(translate, state),
  separator,
  { label: translate('tray.open'), click: () => actions.open() },
  { label: translate('menu.address'), click: () => actions.copyAddress() },
  {
    label: translate('tray.pause'),
    type: 'checkbox',
    checked: state.isPaused,
    click: () => actions.pause(!state.isPaused),
  },
  {
    label: translate('tray.share'),
    type: 'checkbox',
    checked: state.isShared,
    click: () => actions.share(!state.isShared),
  },
  { label: translate('tray.backUp'), click: () => actions.backUp() },
  separator,
  {
    label: translate('tray.login'),
    type: 'checkbox',
    checked: state.startsAtLogin,
    click: () => actions.startAtLogin(!state.startsAtLogin),
  },
  {
    label: translate('tray.stay'),
    type: 'checkbox',
    checked: state.staysInTray,
    click: () => actions.stayInTray(!state.staysInTray),
  },
  noticesItem(translate, state.notices, actions.showNotices),
  separator,
  { label: translate('menu.lockedOut'), click: () => actions.lockedOut() },
  { label: translate('menu.updates'), click: () => actions.checkUpdates() },
  {
    label: translate('tray.daily'),
    type: 'checkbox',
    checked: state.checksDaily,
    click: () => actions.checkDaily(!state.checksDaily),
  },
  separator,
  { label: translate('menu.quit'), click: () => actions.quit() },
]

/** The gateway's state and address: the icon's tooltip, and the first entry of its menu. */
export const headline = (translate: Translate, { address, isPaused }: TrayState): string =>
  translate(isPaused ? 'tray.paused' : 'tray.running', { address: address.replace(/^http:\/\//, '') })

function usage(translate: Translate, { today }: TrayState): Item[] {
  if (!today) return []
  const { calls, errors, cost } = today
  const label = translate(errors === 0 ? 'tray.today' : 'tray.todayErrors', { calls, errors, cost })
  return [{ label, enabled: false }]
}
