import './guest.css'
import { Callout, Card, Classes, FormGroup } from '@blueprintjs/core'
import { Key } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { useLayoutEffect, useState } from 'react'
import * as z from 'zod/mini'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { CopyButton } from '../../components/copy-text/copy-button.tsx'
import { CopyValue } from '../../components/copy-text/copy-value.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { usualModelOf } from '../../components/usual-model.ts'
import { useTranslation } from '../../translation.ts'

/**
 * What a guest key gives access to, on the guest's device (docs/reference/share-people.md#the-link). The key is in
 * the fragment, which is not sent to servers; it is removed from the address at once and never stored.
 */
export default function GuestPage() {
  const { t } = useTranslation()
  const [key] = useState(() => keyIn(window.location.hash))
  useLayoutEffect(() => {
    const { pathname, hash } = window.location
    if (hash !== '') window.history.replaceState(window.history.state, '', pathname)
  }, [])
  return (
    <PageFrame title={t('guest.title')}>
      {key === undefined ? (
        <Card>
          <BlankState icon={<Key size={48} />} title={t('guest.missing')} description={t('guest.missingHint')} />
        </Card>
      ) : (
        <Given givenKey={key} />
      )}
    </PageFrame>
  )
}

const keyIn = (hash: string): string | undefined => {
  const key = new URLSearchParams(hash.slice(1)).get('key') ?? ''
  return /^sk-[\w-]{20,130}$/.test(key) ? key : undefined
}

function Given({ givenKey: key }: { givenKey: string }) {
  const { t } = useTranslation()
  const address = window.location.origin
  const { data: found, isError } = useModels(key)
  const model = usualModelOf(found?.models ?? []) ?? 'gpt-4o'
  return (
    <>
      <p className={Classes.TEXT_MUTED}>{t('guest.intro')}</p>
      {isError && <Callout intent="danger">{t('guest.unreached')}</Callout>}
      {found && !found.isAccepted && <Callout intent="danger">{t('guest.failed')}</Callout>}
      <Card>
        <FormGroup label={t('guest.address')}>
          <CopyValue value={address} label={t('guest.copyAddress')} />
        </FormGroup>
        <FormGroup label={t('guest.key')}>
          <CopyValue value={key} label={t('guest.copyKey')} />
        </FormGroup>
        {found?.isAccepted && (
          <FormGroup label={t('guest.models')}>
            {found.models.length === 0 ? t('guest.noModels') : found.models.join(', ')}
          </FormGroup>
        )}
        <p className={Classes.TEXT_MUTED}>{t('guest.once')}</p>
      </Card>
      <Example name={t('guest.openai')} text={inOpenAi(address, key, model)} />
      <Example name={t('guest.anthropic')} text={inClaudeCode(address, key)} />
    </>
  )
}

const list = z.object({ data: z.array(z.object({ id: z.string() })) })

/** The models available to the key, requested with the key only, without the user's session. */
const useModels = (key: string) =>
  useQuery({
    queryKey: ['guest-models', key],
    queryFn: async ({ signal }) => {
      const response = await fetch('/v1/models', {
        headers: { authorization: `Bearer ${key}` },
        credentials: 'omit',
        signal,
      })
      const parsed = response.ok ? list.parse(await response.json()) : undefined
      return { isAccepted: parsed !== undefined, models: parsed?.data.map(({ id }) => id) ?? [] }
    },
    retry: false,
    gcTime: 0,
  })

function Example({ name, text }: Readonly<{ name: string; text: string }>) {
  const { t } = useTranslation()
  return (
    <Card>
      <FormGroup label={name}>
        <pre className={`${Classes.CODE_BLOCK} guest-snippet`}>{text}</pre>
      </FormGroup>
      <CopyButton text={text} shown={name} label={t('guest.copySnippet', { name })} />
    </Card>
  )
}

const inOpenAi = (address: string, key: string, model: string): string =>
  [`OPENAI_BASE_URL=${address}/v1`, `OPENAI_API_KEY=${key}`, `OPENAI_MODEL=${model}`].join('\n')

const inClaudeCode = (address: string, key: string): string =>
  [`ANTHROPIC_BASE_URL=${address}`, `ANTHROPIC_AUTH_TOKEN=${key}`].join('\n')
