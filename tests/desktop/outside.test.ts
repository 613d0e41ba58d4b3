import { describe, expect, it } from 'vitest'
import { isForBrowser, outsideAddress } from '../../main/outside.ts'
import { options } from '../../shared/options/index.ts'

const chats = options.Chats.default

describe('links that leave the window of the desktop', () => {
  it.each([
    'https://elsewhere.example/',
    'http://192.168.1.5:3000/chat',
    'mailto:somebody@elsewhere.example',
    'ama://set-api-key?server=https%3A%2F%2Fgate.example&key=sk-1',
    'OpenCat://team/join?domain=x&token=y',
    'ccswitch://v1/import?resource=provider&app=claude&apiKey=sk-1',
    'cherrystudio://providers/api-keys?v=1&data=e30',
  ])('%s opens in the program of the system', (target) => {
    expect(outsideAddress(target, chats)).toBe(new URL(target).href)
  })

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'JAVASCRIPT://%0aalert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://elsewhere.example/1',
    'about:blank',
    'view-source:https://elsewhere.example',
    'ms-msdt://id',
    'cherrystudio://providers',
    'cherrystudio://mcp/install?servers=x',
    'ccswitch://v1/other?resource=provider',
    'ama:set-api-key',
    'smb://host/share',
    'not an address',
  ])('%s opens nowhere', (target) => {
    expect(outsideAddress(target, chats)).toBeUndefined()
  })

  it('are those of payment as well, though the page is the console’s own', () => {
    const page = 'http://127.0.0.1:6411/pay/USR7NOabcdefghij1800000000'
    expect([isForBrowser(page), outsideAddress(page, chats)]).toEqual([true, page])
    const others = ['/log', '/pay/', '/pay/USR7NOabc/..', '/pay/x', '/payUSR1NOa']
    expect(others.filter((path) => isForBrowser(`http://127.0.0.1:6411${path}`))).toEqual([])
  })

  it('opens the programs of the presets of now, and never one that a preset may not lead to', () => {
    expect(outsideAddress('cherrystudio://providers', [{ Cherry: 'cherrystudio://providers?key={key}' }])).toBe(
      'cherrystudio://providers',
    )
    expect(outsideAddress('ama://set-api-key', [])).toBeUndefined()
    expect(outsideAddress('file:///etc/passwd', [{ Bad: 'file:///etc/passwd' }])).toBeUndefined()
  })
})
