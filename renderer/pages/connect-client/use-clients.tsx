import { Button, Classes } from '@blueprintjs/core'
import { Import } from '@blueprintjs/icons'
import { type JSX, useState } from 'react'
import type { ConnectClient } from '../../../shared/connect/client.ts'
import { connectClient } from '../../../shared/connect/clients.ts'
import { Confirm } from '../../components/confirm/confirm.tsx'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import { useTranslation } from '../../translation.ts'
import { Code, type Manner } from './code.tsx'
import { EnteredValues } from './entered-values.tsx'
import { ccSwitchLink, cherryStudioLink, switchedAgents } from './import-links.ts'
import { SetUp } from './set-up/set-up.tsx'
import { quoted, type Snippet, type Target } from './snippets/snippet.ts'
import { programs } from './snippets/snippets.ts'

type Client = Readonly<{ id: string; title: string; panel: JSX.Element }>

type ClientsProps = Readonly<{ target: Target; maskedKey: string; manner: Manner }>

export function useClients({ target, maskedKey, manner }: ClientsProps): readonly Client[] {
  const { t } = useTranslation()
  const coded = ([program, written]: readonly [string, readonly Snippet[]]): Client => {
    const id = program.toLowerCase().replaceAll(' ', '-')
    const code = <Code written={written} manner={manner} target={target} maskedKey={maskedKey} />
    return { id, title: program, panel: <Coded key={id} id={id} target={target} maskedKey={maskedKey} code={code} /> }
  }
  const values = { target, maskedKey }
  const cherry = (
    <ImportButton text={t('client.import')} program="Cherry Studio" link={() => cherryStudioLink(target)} />
  )
  return [
    ...[...programs].map(coded),
    {
      id: 'cherry',
      title: 'Cherry Studio',
      panel: <EnteredValues {...values} hint={t('client.cherryHint')} action={cherry} />,
    },
    { id: 'cc-switch', title: 'CC Switch', panel: <SwitchedAgents target={target} /> },
    {
      id: 'open-webui',
      title: 'Open WebUI',
      panel: <EnteredValues {...values} hint={t('client.openWebuiHint')} note={t('client.openWebuiNote')} />,
    },
    {
      id: 'lobechat',
      title: 'LobeChat',
      panel: <EnteredValues {...values} hint={t('client.lobeHint')} note={t('client.lobeNote')} />,
    },
    {
      id: 'n8n',
      title: 'n8n',
      panel: <EnteredValues {...values} hint={t('client.n8nHint')} note={t('client.openWebuiNote')} />,
    },
    {
      id: 'cursor',
      title: 'Cursor',
      panel: <EnteredValues {...values} hint={t('client.cursorHint')} note={t('client.cursorNote')} />,
    },
    { id: 'cline', title: 'Cline, Roo Code', panel: <EnteredValues {...values} hint={t('client.clineHint')} /> },
    { id: 'other', title: t('client.other'), panel: <EnteredValues {...values} hint={t('client.otherHint')} /> },
  ]
}

type CodedProps = Readonly<{ id: string; target: Target; maskedKey: string; code: JSX.Element }>

/** A program with examples: the desktop window sets it up itself; elsewhere, a command or manual steps do. */
function Coded({ id, target, maskedKey, code }: CodedProps) {
  const client = connectClient(id)
  if (!client?.files) return code
  const connect = window.desktop?.connect
  return (
    <>
      {connect && <SetUp key={target.model} connect={connect} client={client} target={target} />}
      {code}
      {!connect && <ByCommand client={client} target={target} maskedKey={maskedKey} />}
    </>
  )
}

type ImportButtonProps = Readonly<{
  text: string
  program: string
  /** The link including the key; created only after confirmation. */
  link: () => string
}>

/** Passes address and key to a program on this machine, after a confirmation. */
function ImportButton({ text, program, link }: ImportButtonProps) {
  const { t } = useTranslation()
  const [isConfirming, setConfirming] = useState(false)
  const close = () => setConfirming(false)
  const open = () => {
    window.open(link(), '_blank', 'noopener,noreferrer')
    close()
  }
  return (
    <>
      <Button icon={<Import />} text={text} onClick={() => setConfirming(true)} />
      <Confirm
        isOpen={isConfirming}
        question={t('client.importTitle', { program })}
        verb={t('client.openProgram', { program })}
        isHarmless
        isBusy={false}
        onConfirm={open}
        onCancel={close}
      >
        {t('client.importHint', { program })}
      </Confirm>
    </>
  )
}

/** CC Switch has one provider per agent. */
function SwitchedAgents({ target }: { target: Target }) {
  const { t } = useTranslation()
  return (
    <>
      <p>{t('client.switchHint')}</p>
      <div className="examples-foot">
        {switchedAgents.map((agent) => (
          <ImportButton
            key={agent.app}
            text={t('client.importFor', { name: agent.name })}
            program="CC Switch"
            link={() => ccSwitchLink(target, agent)}
          />
        ))}
      </div>
    </>
  )
}

type ByCommandProps = Readonly<{ client: ConnectClient; target: Target; maskedKey: string }>

/**
 * The command that sets a program up if the console runs in a browser, which cannot set it up itself. It runs the
 * installed gateway and never downloads anything.
 */
function ByCommand({ client, target, maskedKey }: ByCommandProps) {
  const { t } = useTranslation()
  const command = (key: string) =>
    `npx --no switchyard connect ${client.id} --url=${quoted(target.system, target.address)} --model=${quoted(target.system, target.model)} --key=${quoted(target.system, key)}`
  return (
    <section className="by-command" aria-label={t('client.byCommand')}>
      <p>
        {t('client.byCommand')}
        <br />
        <span className={Classes.TEXT_MUTED}>{t('client.byCommandHint', { program: client.name })}</span>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines must scroll by keyboard */}
      <pre className={`${Classes.CODE_BLOCK} examples-code`} tabIndex={0}>
        {command(maskedKey)}
      </pre>
      <CopyButton text={command(target.key)} shown="npx" label={t('client.copyCommand')} />
    </section>
  )
}
