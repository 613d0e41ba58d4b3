import type { Context } from 'koa'
import { locales, type z } from 'zod'
import type { ApiCall } from '../../../shared/api/call.ts'
import type { Complaint } from '../../../shared/api/fields.ts'
import { isMessageKey } from '../../../shared/messages/en.ts'
import { formatMessage, type Locale } from '../../../shared/messages/format.ts'
import { refuse } from '../../base/errors.ts'
import { checkBodyHeaders, fileOf, readJson } from './body.ts'
import { mainIssue, wordsFor } from './complaint-words.ts'

/**
 * The parts of a request, parsed by its contract; unknown keys are dropped. Throws `input.invalid` with the field and
 * the reason in the caller's language.
 */
export async function parseRequestOf(call: ApiCall, ctx: Context, locale: Locale) {
  const { bodyMebibytes = 1 } = call
  if (!call.takesFile) checkBodyHeaders(ctx, bodyMebibytes)
  return {
    params: parse(call.params, ctx.params, locale),
    query: parse(call.query, firstValues(ctx.query), locale),
    body: call.body && parse(call.body, await readJson(ctx, bodyMebibytes), locale),
    ...(call.takesFile && { file: fileOf(ctx) }),
  }
}

/** Validates a response against its contract; throws on a mismatch. For tests only. */
export function checkAnswer(call: ApiCall, data: unknown, extras: unknown): void {
  for (const [schema, value] of [
    [call.answer, data],
    [call.extras, extras],
  ] as const) {
    const result = schema?.safeParse(value)
    if (result?.success === false)
      throw new Error(`${call.method} ${call.path} breaks its contract: ${result.error.message}`)
  }
}

const { en, fr, ja, ru, vi, zhCN, zhTW } = locales
const complaints: Readonly<Record<Locale, z.core.$ZodErrorMap>> = {
  en: en().localeError,
  zh: zhCN().localeError,
  'zh-TW': zhTW().localeError,
  ja: ja().localeError,
  fr: fr().localeError,
  ru: ru().localeError,
  vi: vi().localeError,
}

function parse(schema: z.ZodType | undefined, value: unknown, locale: Locale): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value, { error: complaints[locale] })
  if (result.success) return result.data
  const issue = mainIssue(result.error.issues)
  const field = issue?.path.join('.') ?? ''
  const why = issue ? reasonOf(issue, value, locale) : ''
  throw refuse('invalid', 'input.invalid', { reason: field ? `${field}: ${why}` : why })
}

/**
 * The message of an issue: ours if the contract names one, or if the issue is a common one; otherwise zod's in the
 * caller's language.
 */
function reasonOf(issue: z.core.$ZodIssue, input: unknown, locale: Locale): string {
  if (isMessageKey(issue.message)) return formatMessage(locale, issue.message)
  const own: unknown = issue.code === 'custom' ? issue.params?.complaint : wordsFor(issue, input)
  if (typeof own !== 'object' || own === null) return issue.message
  const { key, values } = own as Complaint // only `complaint` of shared/api/fields.ts puts one into an issue
  return formatMessage(locale, key, values)
}

/** Of a parameter given more than once, only the first value is used. */
const firstValues = (query: Context['query']): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]))
