import { EventEmitter } from 'node:events'
import type { BrowserWindow } from 'electron'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { showWhenReady } from '../../main/show-when-ready.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A window that, like a real one, throws on any use after it is destroyed. */
function aWindow() {
  let isGone = false
  const shown = vi.fn()
  const webContents = new EventEmitter()
  const asked = <T>(answer: T): T => {
    if (isGone) throw new TypeError('Object has been destroyed')
    return answer
  }
  const window = Object.assign(new EventEmitter(), { webContents, show: () => asked(shown)() })
  Object.defineProperty(window, 'webContents', { get: () => asked(webContents) })
  const leave = () => {
    isGone = true
    window.emit('closed')
  }
  showWhenReady(window as unknown as BrowserWindow)
  const events = { 'ready-to-show': window, 'did-finish-load': webContents, 'did-fail-load': webContents }
  const listened = () => Object.entries(events).map(([name, emitter]) => emitter.listenerCount(name))
  const report = (name: keyof typeof events) => events[name].emit(name)
  return { shown, leave, listened, report }
}

const firsts = ['ready-to-show', 'did-finish-load', 'did-fail-load'] as const

it.each(firsts)('shows a window once, at %s where that comes first', (first) => {
  const { shown, listened, report } = aWindow()
  vi.advanceTimersByTime(3999)
  expect(shown).not.toHaveBeenCalled()
  report(first)
  for (const name of firsts) report(name)
  vi.advanceTimersByTime(60_000)
  expect(shown).toHaveBeenCalledOnce()
  expect([listened(), vi.getTimerCount()]).toEqual([[0, 0, 0], 0])
})

it('shows it after four seconds where nothing comes, and not again', () => {
  const { shown, listened, report } = aWindow()
  vi.advanceTimersByTime(4000)
  expect(shown).toHaveBeenCalledOnce()
  for (const name of firsts) report(name)
  expect([shown.mock.calls.length, listened()]).toEqual([1, [0, 0, 0]])
})

it('does not touch one that is closed before that, no matter what happens later', () => {
  const { shown, leave, listened, report } = aWindow()
  leave()
  for (const name of firsts) report(name)
  vi.advanceTimersByTime(60_000)
  expect(shown).not.toHaveBeenCalled()
  expect([listened(), vi.getTimerCount()]).toEqual([[0, 0, 0], 0])
})
