import type { MenuItemConstructorOptions } from 'electron'
import type { TextKey, Translate } from './language.ts'
import { type NoticeChoice, noticesItem } from './notice-kinds.ts'

type Item = MenuItemConstructorOptions

export type MenuActions = Readonly<{
  about(): void
  checkUpdates(): void
  openFolder(): void
  openLogs(): void
  lockedOut(): void
  copyAddress(): void
  /** Restarts on the default port. */
  useUsualPort(): void
  quit(): void
}>

export type MenuDeps = Readonly<{
  translate: Translate
  platform: NodeJS.Platform
  actions: MenuActions
  notices: NoticeChoice
  /** The default port, if another one is in use; undefined if it cannot be restored. */
  usualPort: number | undefined
}>

/** The native menu. Electron's own labels are English only, so every entry has its own. */
export const menuTemplate = (deps: MenuDeps): Item[] => [
  programMenu(deps),
  editMenu(deps.translate),
  viewMenu(deps.translate),
  windowMenu(deps.translate),
]

/** The context menu: editing in a field, copying for a selection, otherwise empty. */
export function contextTemplate(translate: Translate, { isEditable, hasSelection }: Clicked): Item[] {
  if (isEditable) return roles(translate, editing)
  return hasSelection ? roles(translate, { copy: 'menu.copy' }) : []
}

type Clicked = Readonly<{ isEditable: boolean; hasSelection: boolean }>

const editing = { cut: 'menu.cut', copy: 'menu.copy', paste: 'menu.paste', selectAll: 'menu.selectAll' } as const

const separator: Item = { type: 'separator' }

function programMenu({ translate, platform, actions, notices, usualPort }: MenuDeps): Item {
  const items: Item[] =
    usualPort === undefined
      ? []
      : [{ label: translate('menu.usualPort', { port: usualPort }), click: () => actions.useUsualPort() }]
  return {
    label: 'Switchyard',
    submenu: [
      { label: translate('menu.about'), click: () => actions.about() },
      { label: translate('menu.updates'), click: () => actions.checkUpdates() },
      separator,
      { label: translate('menu.folder'), click: () => actions.openFolder() },
      { label: translate('menu.logs'), click: () => actions.openLogs() },
      { label: translate('menu.address'), accelerator: 'CmdOrCtrl+Shift+C', click: () => actions.copyAddress() },
      { label: translate('menu.lockedOut'), click: () => actions.lockedOut() },
      ...items,
      noticesItem(translate, notices.shown(), notices.set),
      separator,
      ...(platform === 'darwin' ? hiding(translate) : []),
      { label: translate('menu.quit'), accelerator: 'CmdOrCtrl+Q', click: () => actions.quit() },
    ],
  }
}

const hiding = (translate: Translate): Item[] => [
  { role: 'services', label: translate('menu.services') },
  separator,
  { role: 'hide', label: translate('menu.hide') },
  { role: 'hideOthers', label: translate('menu.hideOthers') },
  { role: 'unhide', label: translate('menu.showAll') },
  separator,
]

const editMenu = (translate: Translate): Item => ({
  label: translate('menu.edit'),
  submenu: [...roles(translate, { undo: 'menu.undo', redo: 'menu.redo' }), separator, ...roles(translate, editing)],
})

const viewMenu = (translate: Translate): Item => ({
  label: translate('menu.view'),
  submenu: [
    ...roles(translate, { reload: 'menu.reload' }),
    separator,
    ...roles(translate, { resetZoom: 'menu.actualSize', zoomIn: 'menu.zoomIn', zoomOut: 'menu.zoomOut' }),
    separator,
    ...roles(translate, { togglefullscreen: 'menu.fullScreen' }),
  ],
})

const windowMenu = (translate: Translate): Item => ({
  label: translate('menu.window'),
  submenu: roles(translate, { minimize: 'menu.minimize', close: 'menu.close' }),
})

function roles(translate: Translate, labels: Partial<Record<NonNullable<Item['role']>, TextKey>>): Item[] {
  return Object.entries(labels).map(([role, key]) => ({
    role: role as NonNullable<Item['role']>,
    label: translate(key),
  }))
}
