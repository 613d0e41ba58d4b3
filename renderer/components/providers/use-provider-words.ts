import type { LoginProvider } from '../../../shared/api/oauth.ts'
import { useTranslation } from '../../translation.ts'

/** The sentences that name a provider. */
type ProviderSentence =
  | 'provider.logIn'
  | 'provider.loggingIn'
  | 'provider.binding'
  | 'provider.bindTo'
  | 'provider.unbindFrom'
  | 'provider.unbindQuestion'
  | 'provider.unbindText'
  | 'provider.unbound'

/** What a provider is called, and sentences with its name; between Chinese words there is no space. */
export function useProviderWords() {
  const { t } = useTranslation()
  const nameOf = (provider: LoginProvider) => t(`provider.${provider}`)
  const say = (sentence: ProviderSentence, provider: LoginProvider) =>
    t(sentence, { name: nameOf(provider) }).replace(/(\p{Script=Han}) (?=\p{Script=Han})/gu, '$1')
  return { nameOf, say }
}
