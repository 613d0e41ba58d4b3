import { app, clipboard, Menu, shell } from 'electron'
import type { Locale } from '../shared/messages/format.ts'
import { readChoices, writeChoices } from './desktop-file.ts'
import { type Host, usualPort, windowAddress } from './gateway-host.ts'
import { speak } from './language.ts'
import { type MenuActions, menuTemplate } from './menu.ts'

/** Puts the native menu up in a language; call it again when the language changes. */
export function createNativeMenu({ gateway, config }: Host, folder: string): (locale: Locale) => void {
  const usual = usualPort(process.env)
  const actions: MenuActions = {
    about: () => app.showAboutPanel(),
    openFolder: () => void shell.openPath(config.DATA_DIR),
    copyAddress: () => clipboard.writeText(windowAddress(gateway.url)),
    useUsualPort() {
      writeChoices(folder, { ...readChoices(folder), port: undefined })
      app.relaunch()
      app.quit()
    },
    quit: () => app.quit(),
  }
  return (locale) => {
    const say = speak(locale)
    app.setAboutPanelOptions({
      applicationName: 'Switchyard',
      applicationVersion: app.getVersion(),
      credits: say('about.credits'),
    })
    const wayBack = config.PORT === usual ? undefined : usual
    const template = menuTemplate({ say, platform: process.platform, actions, usualPort: wayBack })
    Menu.setApplicationMenu(Menu.buildFromTemplate(template))
  }
}
