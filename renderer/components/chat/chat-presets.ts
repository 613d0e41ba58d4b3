import * as z from 'zod/mini'
import { isChatLink } from '../../../shared/links.ts'
import { useStatus } from '../../api/status.ts'

/** A chat that the operator has set up: a site, or a program with a scheme of its own. */
export type ChatPreset = Readonly<{
  name: string
  /** With `{key}` and `{address}` still to be filled in. */
  template: string
}>

/** The chats in the operator's order; undefined where the status tells of them in no form that is known here. */
export function useChatPresets(): readonly ChatPreset[] | undefined {
  const told = z.safeParse(chats, useStatus().chats)
  if (!told.success) return undefined
  return told.data.flatMap((chat) => Object.entries(chat).map(([name, template]) => ({ name, template })))
}

const chats = z.array(z.record(z.string(), z.string()))

/**
 * Fills a template in; undefined when it is none that may be opened, what results is no address, or the key would decide where
 * it leads (docs/reference/screens.md#chat).
 */
export function chatUrl(template: string, address: string, key: string): URL | undefined {
  const url = filledIn(template, address, key)
  return url && placeOf(url) === placeOf(filledIn(template, address, 'key')) ? url : undefined
}

function filledIn(template: string, address: string, key: string): URL | undefined {
  if (!isChatLink(template)) return undefined
  return URL.parse(template.replaceAll('{address}', encodeURIComponent(address)).replaceAll('{key}', key)) ?? undefined
}

/** The address of `/chat2link`: what the operator's link makes of key and address, in the form such sites read. */
export const linkTemplate = (link: string): string => `${link}/#/?settings={"key":"{key}","url":"{address}"}`

/** The site, or for a program its scheme: what a person is told before a key goes there. */
export function placeOf(url: URL | undefined): string {
  if (!url) return ''
  return isWeb(url) ? url.host : url.protocol
}

/** Whether it is a site, not a program. */
export const isWeb = ({ protocol }: URL): boolean => /^https?:$/.test(protocol)
