import { type Locale, languageTag } from './locales.ts'

/**
 * Chooses between the forms of a word: `{n|one:request|other:requests}` becomes the form for the value of `n`, by the
 * language's plural categories (Unicode CLDR, "Language Plural Rules"). `n` is a number, or a text such as `1,234`; any
 * other value takes the form `other`. The number itself is a separate placeholder: `{n} {n|one:request|…}`.
 */
export const withPlurals = (text: string, locale: Locale, values: Readonly<Record<string, unknown>>): string =>
  text.includes('|')
    ? text.replace(CHOICE, (choice, name: string, forms: string) => {
        const formByCategory = new Map(forms.split('|').map(formIn))
        const other = formByCategory.get('other')
        if (other === undefined || !Object.hasOwn(values, name)) return choice
        return formByCategory.get(categoryOf(locale, values[name])) ?? other
      })
    : text

const CHOICE = /\{(\w+)\|([^{}]*)\}/g

function formIn(text: string): readonly [category: string, form: string] {
  const [category = '', ...form] = text.split(':')
  return [category, form.join(':')]
}

const rules = new Map<Locale, Intl.PluralRules>()

function categoryOf(locale: Locale, value: unknown): string {
  const number = typeof value === 'string' ? Number(value.replaceAll(',', '')) : Number(value)
  if (!Number.isFinite(number)) return 'other'
  const known = rules.get(locale) ?? new Intl.PluralRules(languageTag(locale))
  rules.set(locale, known)
  return known.select(number)
}
