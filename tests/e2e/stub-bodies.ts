import type { Page, Route } from '@playwright/test'
import type { KeptCallView, ReplayedCall } from '../../shared/api/kept-bodies.ts'

const NOW = Math.floor(Date.now() / 1000)

const request = {
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'You are the assistant of a library. Answer in one sentence.' },
    { role: 'user', content: 'Which book explains how a lighthouse works? 请同时用中文回答。' },
  ],
  temperature: 0.2,
}

const answerOf = (content: string) =>
  JSON.stringify({
    id: 'chatcmpl-9f2',
    object: 'chat.completion',
    model: 'gpt-4o-2024-11-20',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 41, completion_tokens: 23, total_tokens: 64 },
  })

export const keptCall: KeptCallView = {
  request_id: 'any',
  user_id: 1,
  created_at: NOW - 600,
  expires_at: NOW + 85_800,
  model: 'gpt-4o',
  path: '/v1/chat/completions',
  is_stream: false,
  status: 200,
  duration_ms: 1840,
  request: { state: 'whole', text: JSON.stringify(request) },
  answer: {
    state: 'whole',
    text: answerOf('“The Light in the Tower” explains lamp, lens and clockwork. 《塔中之光》讲解了灯、透镜与发条。'),
  },
  can_replay: true,
}

const replayed: ReplayedCall = {
  request_id: 'another',
  channel_id: 2,
  status: 200,
  duration_ms: 920,
  answer: { state: 'whole', text: answerOf('Try “Lenses and Keepers”, chapter four.') },
  prompt_tokens: 41,
  completion_tokens: 9,
  quota: 96,
}

const told = (route: Route, data: unknown) => route.fulfill({ json: { success: true, message: '', data } })

/**
 * Gives every call in the log stored bodies; requests for them return `call`, or fail as if they had been deleted, and
 * replays return `replay`.
 */
export const keepsBodies =
  (call: Partial<KeptCallView> | 'gone' = {}, replay: ReplayedCall | 'waiting' = replayed) =>
  async (page: Page): Promise<void> => {
    await page.route(/\/api\/log\/?\?/, async (route) => {
      const answer = await (await route.fetch()).json()
      for (const row of answer.data.items) row.other = JSON.stringify({ ...JSON.parse(row.other), bodies_kept: true })
      await route.fulfill({ json: answer })
    })
    await page.route(/\/api\/bodies\/[^/]+$/, (route) =>
      call === 'gone'
        ? route.fulfill({
            json: {
              success: false,
              message:
                'No request and response are stored under this request ID. They may have expired or been removed.',
            },
          })
        : told(route, { ...keptCall, ...call }),
    )
    await page.route(/\/api\/bodies\/[^/]+\/replay$/, (route) =>
      replay === 'waiting' ? new Promise<void>(() => {}) : told(route, replay),
    )
  }

export async function openKept(page: Page): Promise<void> {
  await page.locator('.page-table-opener').nth(1).click()
  await page.locator('.log-bodies').evaluate((part) => part.scrollIntoView({ block: 'nearest' }))
}

export async function showBodies(page: Page): Promise<void> {
  await openKept(page)
  await page.locator('.log-bodies button').first().click()
  await page.locator('.log-body, .log-bodies .bp6-callout').first().waitFor()
  await page.locator('.log-bodies').evaluate((part) => part.scrollIntoView({ block: 'start' }))
}

export async function replayBodies(page: Page): Promise<void> {
  await showBodies(page)
  await page.locator('.log-replay-picker button[type=submit]').click()
  await page.locator('.log-bodies-pair > :nth-child(3)').waitFor()
}
