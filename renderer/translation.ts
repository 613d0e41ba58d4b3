import { useSyncExternalStore } from 'react'

/** The texts of one language, by key. */
type Texts = Readonly<Record<string, string>>
/** Translates a key; a placeholder without a value stays as it is written, as in an example of JSON. */
type Translate = (key: string, values?: Readonly<Record<string, unknown>>) => string

/** What is spoken now. Each change makes a new one, so that whoever keeps `t` sees that it has changed. */
type Speech = Readonly<{ language: string; t: Translate }>

const known = new Map<string, Texts>()
const listeners = new Set<() => void>()
let speech: Speech = speechOf('')

/** The language that is spoken now, and its texts, for what stands outside components. */
export const translation = {
  get language(): string {
    return speech.language
  },
  t: (...asked: Parameters<Translate>): string => speech.t(...asked),
}

/** Adds texts of a language to those it has, and speaks it from now on. */
export function speakWith(language: string, texts: Texts): void {
  known.set(language, { ...known.get(language), ...texts })
  speech = speechOf(language)
  for (const tell of listeners) tell()
}

/** `t` as state: a component that uses it follows the language. */
export function useTranslation(): Speech {
  return useSyncExternalStore(subscribe, () => speech)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function speechOf(language: string): Speech {
  const texts = known.get(language) ?? {}
  const t: Translate = (key, values = {}) =>
    (texts[key] ?? key).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined
      return value === undefined || value === null ? whole : String(value)
    })
  return { language, t }
}

/** Stands in for the package `i18next` where the console is built (vite.config.ts). */
export default translation
