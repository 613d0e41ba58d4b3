import * as z from 'zod/mini'
import { isChatLink } from '../../../shared/links.ts'
import { useStatus } from '../../api/status.ts'

/** A chat link of the operator: a site, or a program with its own URL scheme. */
export type ChatPreset = Readonly<{
  name: string
  /** Contains the placeholders `{key}` and `{address}`. */
  template: string
}>

/** The chats in the operator's order; undefined if the status has them in an unknown form. */
export function useChatPresets(): readonly ChatPreset[] | undefined {
  const parsed = z.safeParse(chats, useStatus().chats)
  if (!parsed.success) return undefined
  return parsed.data.flatMap((chat) => Object.entries(chat).map(([name, template]) => ({ name, template })))
}

const chats = z.array(z.record(z.string(), z.string()))

/**
 * Fills in a template; undefined if the template or the result is not an allowed URL, or if the key would affect the
 * host (docs/reference/screens.md#chat).
 */
export function chatUrl(template: string, address: string, key: string): URL | undefined {
  const url = fillTemplate(template, address, key)
  return url && siteNameOf(url) === siteNameOf(fillTemplate(template, address, 'key')) ? url : undefined
}

function fillTemplate(template: string, address: string, key: string): URL | undefined {
  if (!isChatLink(template)) return undefined
  return URL.parse(template.replaceAll('{address}', encodeURIComponent(address)).replaceAll('{key}', key)) ?? undefined
}

/** The template of `/chat2link`: the operator's link with key and address in the form such sites read. */
export const linkTemplate = (link: string): string => `${link}/#/?settings={"key":"{key}","url":"{address}"}`

/** The site's host, or a program's scheme: shown to the user before a key is sent there. */
export function siteNameOf(url: URL | undefined): string {
  if (!url) return ''
  return isWeb(url) ? url.host : url.protocol
}

export const isWeb = ({ protocol }: URL): boolean => /^https?:$/.test(protocol)
