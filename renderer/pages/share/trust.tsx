import { Button, Card, Classes, H2 } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import { useMutation } from '@tanstack/react-query'
import { type ShareView, share } from '../../../shared/api/share.ts'
import { send } from '../../api/client.ts'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { saveFile } from '../../components/save-file.ts'
import { TimeText } from '../../components/time-text/time-text.tsx'
import { useTranslation } from '../../translation.ts'
import { Command } from './command.tsx'

const FILE = 'switchyard-ca.crt'

/** The certificate authority: how to verify, download and trust it. */
export function Trust({ view: { settings, ca, addresses } }: { view: ShareView }) {
  const { t } = useTranslation()
  if (!settings.is_encrypted) return null
  // The CA certificate is served over plain HTTP; verify it by its fingerprint.
  const first = addresses.find(({ is_open: isOpen }) => isOpen)?.url.replace('https:', 'http:')
  return (
    <Card className="share-part">
      <header className="share-head">
        <div>
          <H2 className="share-title">{t('sharing.trust')}</H2>
          <p className={Classes.TEXT_MUTED}>{t(ca ? 'sharing.trustHint' : 'sharing.noCa')}</p>
        </div>
        {ca && <DownloadButton />}
      </header>
      {ca && (
        <dl className="share-facts">
          <dt>{t('sharing.fingerprint')}</dt>
          <dd className="share-fingerprint">
            <CopyValue value={ca.fingerprint} label={t('sharing.copyFingerprint')} />
          </dd>
          <dt>{t('sharing.validUntil')}</dt>
          <dd>
            <TimeText at={ca.not_after} />
          </dd>
          {first !== undefined && (
            <>
              <dt>{t('sharing.downloadUrl')}</dt>
              <dd>
                <CopyValue value={first + ca.path} label={t('sharing.copyUrl', { url: first + ca.path })} />
              </dd>
            </>
          )}
        </dl>
      )}
      {ca && <Steps />}
    </Card>
  )
}

function DownloadButton() {
  const { t } = useTranslation()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(share.ca, {}),
    onSuccess: ({ pem }) => saveFile(pem, FILE, 'application/x-x509-ca-cert'),
  })
  return <Button icon={<Download />} text={t('sharing.download')} loading={isPending} onClick={() => mutate()} />
}

/** Steps for each system, collapsed because they are read only once per device. */
function Steps() {
  const { t } = useTranslation()
  return (
    <details className="share-fold">
      <summary>{t('sharing.trustSteps')}</summary>
      {steps.map(({ name, text, command }) => (
        <div key={name} className="share-step">
          <h3 className={Classes.HEADING}>{name}</h3>
          <p>{t(text)}</p>
          {command && <Command text={command} />}
        </div>
      ))}
    </details>
  )
}

const steps = [
  { name: 'Windows', text: 'sharing.trustWindows', command: `certutil -addstore -user Root ${FILE}` },
  {
    name: 'macOS',
    text: 'sharing.trustMac',
    command: `security add-trusted-cert -r trustRoot -k ~/Library/Keychains/login.keychain-db ${FILE}`,
  },
  {
    name: 'Linux',
    text: 'sharing.trustLinux',
    command: `sudo cp ${FILE} /usr/local/share/ca-certificates/ && sudo update-ca-certificates`,
  },
  { name: 'iOS, iPadOS', text: 'sharing.trustIos', command: '' },
  { name: 'Android', text: 'sharing.trustAndroid', command: '' },
  { name: 'Firefox', text: 'sharing.trustFirefox', command: '' },
  {
    name: 'Node.js, Python',
    text: 'sharing.trustPrograms',
    command: `export NODE_EXTRA_CA_CERTS=$PWD/${FILE}\nexport SSL_CERT_FILE=$PWD/${FILE}\nexport REQUESTS_CA_BUNDLE=$PWD/${FILE}`,
  },
] as const
