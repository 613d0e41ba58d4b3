import { app, clipboard, dialog, Menu, shell } from 'electron'
import type { Locale } from '../shared/messages/format.ts'
import { changeChoices } from './desktop-file.ts'
import { type Host, usualPort } from './gateway-host.ts'
import { speak, type Translate } from './language.ts'
import { type MenuActions, type MenuDeps, menuTemplate } from './menu.ts'

type Folders = Readonly<{ folder: string; logs: string }>

type NativeMenuDeps = Pick<MenuDeps, 'notices'> &
  Pick<MenuActions, 'checkUpdates' | 'lockedOut'> &
  Readonly<{ startAgain: () => void }>

/** Returns a function that sets the native menu in a language; call it again when the language changes. */
export function createNativeMenu(
  { gateway, config }: Host,
  { folder, logs }: Folders,
  { notices, checkUpdates, lockedOut, startAgain }: NativeMenuDeps,
): (locale: Locale) => void {
  const defaultPort = usualPort(process.env)
  let translate: Translate = speak('en')
  const actions: MenuActions = {
    about: () => app.showAboutPanel(),
    checkUpdates,
    lockedOut,
    openFolder: () => void openFolder(config.DATA_DIR, translate),
    openLogs: () => void openFolder(logs, translate),
    copyAddress: () => void copyText(gateway.url, translate),
    useUsualPort() {
      changeChoices(folder, { port: undefined })
      startAgain()
      app.quit()
    },
    quit: () => app.quit(),
  }
  return (locale) => {
    translate = speak(locale)
    app.setAboutPanelOptions({
      applicationName: 'Switchyard',
      applicationVersion: app.getVersion(),
      credits: translate('about.credits'),
    })
    const usualPort = config.PORT === defaultPort ? undefined : defaultPort
    const template = menuTemplate({ translate, platform: process.platform, actions, notices, usualPort })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }
}

async function openFolder(folder: string, translate: Translate): Promise<void> {
  const problem = await shell.openPath(folder)
  if (problem) dialog.showErrorBox('Switchyard', translate('folder.text', { folder, said: problem }))
}

/** Copies a text; if that fails, shows the text instead. */
export const copyText = (text: string, translate: Translate): Promise<void> =>
  clipboard.writeText(text).catch(() => dialog.showErrorBox('Switchyard', translate('copy.text', { text })))
