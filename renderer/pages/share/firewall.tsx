import { Card, Classes, H2, SegmentedControl } from '@blueprintjs/core'
import { useState } from 'react'
import type { ShareView } from '../../../shared/api/share.ts'
import { useTranslation } from '../../translation.ts'
import { Command } from './command.tsx'

type Os = 'windows' | 'mac' | 'linux'

/** Firewall steps for the user; the gateway never changes the firewall itself. */
export function Firewall({ view }: { view: ShareView }) {
  const { t } = useTranslation()
  const [os, setOs] = useState(ownOs)
  return (
    <Card className="share-part">
      <H2 className="share-title">{t('sharing.firewall')}</H2>
      <p className={Classes.TEXT_MUTED}>{t('sharing.firewallHint')}</p>
      <SegmentedControl
        inline
        aria-label={t('sharing.os')}
        options={[
          { value: 'windows', label: 'Windows' },
          { value: 'mac', label: 'macOS' },
          { value: 'linux', label: 'Linux' },
        ]}
        value={os}
        onValueChange={(value) => setOs(value as Os)} // one of the options above
      />
      {stepsOf(os, view).map(({ text, open, undo }) => (
        <div key={text} className="share-step">
          <p>{t(text)}</p>
          <Command text={open} />
          <p>{t('sharing.undo')}</p>
          <Command text={undo} />
        </div>
      ))}
    </Card>
  )
}

/** The system of this browser, usually also that of the gateway. */
const ownOs = (): Os => {
  if (/windows/i.test(navigator.userAgent)) return 'windows'
  return /mac os|macintosh/i.test(navigator.userAgent) ? 'mac' : 'linux'
}

type Step = Readonly<{
  text: 'sharing.firewallWindows' | 'sharing.firewallMac' | 'sharing.firewallUfw' | 'sharing.firewallFirewalld'
  open: string
  undo: string
}>

function stepsOf(os: Os, { port, interfaces, settings }: ShareView): readonly Step[] {
  if (os === 'windows')
    return [
      {
        text: 'sharing.firewallWindows',
        open: `New-NetFirewallRule -DisplayName "Switchyard" -Direction Inbound -Action Allow -Protocol TCP -LocalPort ${port} -Profile Private`,
        undo: 'Remove-NetFirewallRule -DisplayName "Switchyard"',
      },
    ]
  if (os === 'mac') {
    const tool = 'sudo /usr/libexec/ApplicationFirewall/socketfilterfw'
    const app = '/Applications/Switchyard.app'
    return [
      {
        text: 'sharing.firewallMac',
        open: `${tool} --add ${app}\n${tool} --unblockapp ${app}`,
        undo: `${tool} --remove ${app}`,
      },
    ]
  }
  const offered = interfaces.filter(({ kind }) => kind === 'private')
  const { network } = offered.find(({ address }) => address === settings.address) ?? offered[0] ?? { network: 'any' }
  const rule = `allow proto tcp from ${network} to any port ${port}`
  const zone = `--add-port=${port}/tcp`
  return [
    { text: 'sharing.firewallUfw', open: `sudo ufw ${rule}`, undo: `sudo ufw delete ${rule}` },
    {
      text: 'sharing.firewallFirewalld',
      open: `sudo firewall-cmd --permanent ${zone}\nsudo firewall-cmd --reload`,
      undo: `sudo firewall-cmd --permanent ${zone.replace('add', 'remove')}\nsudo firewall-cmd --reload`,
    },
  ]
}
