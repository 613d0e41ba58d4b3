import type { MenuItemConstructorOptions } from 'electron'
import type { Say, TextKey } from './language.ts'
import { type NoticeChoice, noticesItem } from './notice-kinds.ts'

type Item = MenuItemConstructorOptions

/** What the menu's own entries do. */
export type MenuActions = Readonly<{
  about(): void
  checkUpdates(): void
  openFolder(): void
  openLogs(): void
  lockedOut(): void
  copyAddress(): void
  /** Back to the usual port, with a new start. */
  useUsualPort(): void
  quit(): void
}>

export type MenuDeps = Readonly<{
  say: Say
  platform: NodeJS.Platform
  actions: MenuActions
  notices: NoticeChoice
  /** The usual port, while another one is in use; undefined where the way back means nothing. */
  usualPort: number | undefined
}>

/** The native menu in one language: Electron's own labels are English only, so every entry has ours. */
export const menuTemplate = (deps: MenuDeps): Item[] => [
  programMenu(deps),
  editMenu(deps.say),
  viewMenu(deps.say),
  windowMenu(deps.say),
]

/** What a right click offers: editing in a field, copying from a selection, nothing elsewhere. */
export function contextTemplate(say: Say, { isEditable, hasSelection }: Clicked): Item[] {
  if (isEditable) return roles(say, editing)
  return hasSelection ? roles(say, { copy: 'menu.copy' }) : []
}

/** What lies under a right click. */
type Clicked = Readonly<{ isEditable: boolean; hasSelection: boolean }>

const editing = { cut: 'menu.cut', copy: 'menu.copy', paste: 'menu.paste', selectAll: 'menu.selectAll' } as const

const separator: Item = { type: 'separator' }

function programMenu({ say, platform, actions, notices, usualPort }: MenuDeps): Item {
  const way: Item[] =
    usualPort === undefined
      ? []
      : [{ label: say('menu.usualPort', { port: usualPort }), click: () => actions.useUsualPort() }]
  return {
    label: 'Switchyard',
    submenu: [
      { label: say('menu.about'), click: () => actions.about() },
      { label: say('menu.updates'), click: () => actions.checkUpdates() },
      separator,
      { label: say('menu.folder'), click: () => actions.openFolder() },
      { label: say('menu.logs'), click: () => actions.openLogs() },
      { label: say('menu.address'), accelerator: 'CmdOrCtrl+Shift+C', click: () => actions.copyAddress() },
      { label: say('menu.lockedOut'), click: () => actions.lockedOut() },
      ...way,
      noticesItem(say, notices.shown(), notices.set),
      separator,
      ...(platform === 'darwin' ? hiding(say) : []),
      { label: say('menu.quit'), accelerator: 'CmdOrCtrl+Q', click: () => actions.quit() },
    ],
  }
}

const hiding = (say: Say): Item[] => [
  { role: 'services', label: say('menu.services') },
  separator,
  { role: 'hide', label: say('menu.hide') },
  { role: 'hideOthers', label: say('menu.hideOthers') },
  { role: 'unhide', label: say('menu.showAll') },
  separator,
]

const editMenu = (say: Say): Item => ({
  label: say('menu.edit'),
  submenu: [...roles(say, { undo: 'menu.undo', redo: 'menu.redo' }), separator, ...roles(say, editing)],
})

const viewMenu = (say: Say): Item => ({
  label: say('menu.view'),
  submenu: [
    ...roles(say, { reload: 'menu.reload' }),
    separator,
    ...roles(say, { resetZoom: 'menu.actualSize', zoomIn: 'menu.zoomIn', zoomOut: 'menu.zoomOut' }),
    separator,
    ...roles(say, { togglefullscreen: 'menu.fullScreen' }),
  ],
})

const windowMenu = (say: Say): Item => ({
  label: say('menu.window'),
  submenu: roles(say, { minimize: 'menu.minimize', close: 'menu.close' }),
})

/** Entries that Electron performs by itself, under our labels. */
function roles(say: Say, labels: Partial<Record<NonNullable<Item['role']>, TextKey>>): Item[] {
  return Object.entries(labels).map(([role, key]) => ({ role: role as NonNullable<Item['role']>, label: say(key) }))
}
