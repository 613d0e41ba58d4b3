import { model } from '../../../shared/api/model.ts'
import { token } from '../../../shared/api/token.ts'
import { useCall } from '../../api/use-call.ts'
import { useGroupName } from '../../components/group-name.ts'
import { useTranslation } from '../../translation.ts'
import type { ExplainQuery } from './explain-query.ts'

type Option = Readonly<{ value: string; label: string }>

/** The groups: that of the token or account first, then automatic selection, then all others. */
export function useGroupOptions({ group, tokenId }: ExplainQuery): readonly Option[] {
  const { t } = useTranslation()
  const nameOf = useGroupName()
  const { data: groups = [] } = useCall(model.groups, {}, { quiet: true })
  const named = groups.filter((name) => name !== AUTO)
  const isStranger = group !== '' && group !== AUTO && !named.includes(group)
  return [
    { value: '', label: t(tokenId > 0 ? 'explain.tokenGroup' : 'explain.ownGroup') },
    { value: AUTO, label: nameOf(AUTO) },
    ...[...named, ...(isStranger ? [group] : [])].map((name) => ({ value: name, label: nameOf(name) })),
  ]
}

/** No token, the reader's own tokens, and another user's token if the page was opened with one. */
export function useTokenOptions({ tokenId, tokenName }: ExplainQuery): readonly Option[] {
  const { t } = useTranslation()
  const { data: own = [] } = useCall(token.list, { query: { p: 0, size: max } }, { quiet: true })
  const number = t('explain.tokenNumber', { id: tokenId })
  const isStranger = tokenId > 0 && own.every(({ id }) => id !== tokenId)
  return [
    { value: '0', label: t('explain.noToken') },
    ...own.map(({ id, name }) => ({ value: String(id), label: name })),
    ...(isStranger
      ? [{ value: String(tokenId), label: tokenName === '' ? number : `${tokenName} (#${tokenId})` }]
      : []),
  ]
}

const AUTO = 'auto'
/** The maximum number of tokens per page. */
const max = 100
