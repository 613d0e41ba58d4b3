import { expect, type Page } from '@playwright/test'
import { aChannelFixture, type ChannelFixture, choose, expectToast, rowOf } from './channel-fixture.ts'
import { test } from './shared-browser.ts'
import { openStopped, SOON, tickUntil } from './stopped-clock.ts'
import { pressEscape, tick } from './visitor.ts'

let fixture: ChannelFixture
test.beforeEach(async ({ page }) => {
  fixture = await aChannelFixture(page)
})
test.afterEach(() => fixture.stop())

test('the keys of a channel keep the focus in their dialog, after every action, and Escape leaves it', async ({
  page,
}) => {
  await fixture.show({ name: 'main' })
  await choose(page, 'main', 'Keys…')
  const dialog = page.getByRole('dialog', { name: 'Keys of main' })
  const field = dialog.getByLabel('Add keys')
  await field.fill('sk-two\nsk-three')
  await dialog.getByRole('button', { name: 'Add keys' }).press('Enter')
  await expectToast(page, 'Keys added: 2')
  await expect(field).toBeFocused()
  await dialog.getByRole('checkbox').nth(1).press('Space')
  await expect(dialog.getByText('Disabled')).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await dialog
    .getByRole('button', { name: /^Remove/ })
    .last()
    .press('Enter')
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /Remove/ })
    .press('Enter')
  await expect(dialog.getByRole('checkbox')).toHaveCount(2)
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await pressEscape(page)
  await expect(dialog).toHaveCount(0)
})

/** How to open a form and submit it empty, and the element that then has the focus. */
const forms = [
  {
    form: 'a channel',
    path: '/channel/add',
    field: 'Name',
    send: (page: Page) =>
      page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Save|Create token)$/ })
        .click(),
  },
  {
    form: 'a provider',
    path: '/connect/provider',
    field: 'API key',
    send: (page: Page) => page.getByRole('button', { name: 'Test connection' }).click(),
  },
  {
    form: 'a question about routing',
    path: '/explain-routing',
    field: 'Model',
    send: (page: Page) => page.getByRole('button', { name: 'Explain routing' }).click(),
  },
]
for (const { form, path, field, send } of forms) {
  test(`the first field that is wrong gets the focus: ${form} (docs/reference/screens.md#forms)`, async ({ page }) => {
    await page.goto(fixture.gateway.url + path)
    await send(page)
    await expect(page.getByLabel(field, { exact: true }).last()).toBeFocused()
  })
}

test('the first field that is wrong gets the focus: a token, also where it was folded away (docs/reference/screens.md#forms)', async ({
  page,
}) => {
  await page.goto(`${fixture.gateway.url}/token`)
  await page.getByRole('button', { name: 'Add token' }).first().click()
  const drawer = page.getByRole('dialog', { name: 'Add token' })
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByText('Enter a name for the token')).toBeVisible()
  await expect(drawer.getByLabel('Name')).toBeFocused()
  await drawer.getByLabel('Name').fill('laptop')
  const folding = drawer.getByRole('button', { name: 'Rate limits and budgets' })
  await folding.click()
  await drawer.getByLabel('Requests per minute').fill('-1')
  await folding.click()
  await expect(drawer.getByLabel('Requests per minute')).toBeHidden()
  await drawer.getByRole('button', { name: /^(Save|Create token)$/ }).click()
  await expect(drawer.getByLabel('Requests per minute')).toBeFocused()
})

test('a toast stays until Esc, a click or another page takes it away (docs/reference/screens.md#calls-and-failures)', async ({
  page,
}) => {
  await openStopped(page, () => fixture.show({ name: 'main' }))
  const priority = rowOf(page, 'main').getByRole('textbox', { name: 'Priority: main' })
  const done = page.locator('.bp6-toast').filter({ hasText: 'Priority: main is now' })
  const change = async (to: string) => {
    await priority.fill(to)
    await priority.press('Enter')
    await tickUntil(page, () => expect(done).toBeVisible(SOON))
  }
  // A toast takes a moment to disappear.
  const gone = () =>
    expect(async () => {
      await page.clock.runFor(1000)
      await expect(done).toHaveCount(0, SOON)
    }).toPass()
  await change('7')
  await page.clock.runFor(60_000)
  await expect(done).toHaveCount(1)
  await page.keyboard.press('Escape')
  await gone()
  await change('8')
  await done.getByRole('button', { name: 'Close' }).click()
  await gone()
  await change('9')
  await page.getByRole('navigation').getByRole('link', { name: 'Redemption codes' }).click()
  await tickUntil(page, () => expect(page).toHaveURL(/redemption/, SOON))
  await gone()
})

test('a button is red only where something is destroyed', async ({ page }) => {
  await fixture.show({ name: 'main', tag: 'west' })
  const danger = page.getByRole('alertdialog').locator('.bp6-intent-danger')
  for (const [entry, reds] of [
    ['Test all channels', 0],
    ['Delete disabled channels', 1],
  ] as const) {
    await page.getByRole('button', { name: 'Actions for all channels' }).click()
    await page.getByRole('menuitem', { name: entry }).click()
    await page.getByRole('alertdialog').waitFor()
    await expect(danger).toHaveCount(reds)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
  }
  await tick(
    page.getByRole('checkbox', { name: 'Group by tag' }).or(page.getByRole('switch', { name: 'Group by tag' })),
  )
  const priority = page.getByRole('textbox', { name: 'Priority: Tag: west' })
  await priority.fill('3')
  await priority.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await expect(danger).toHaveCount(0)
})

test('the focus is never lost: a dialog has it by its name, and gives it back each time; a busy button keeps it', async ({
  page,
}) => {
  await fixture.show({ name: 'main' })
  await page.goto(`${fixture.gateway.url}/setting?tab=operation`)
  const history = page.getByRole('button', { name: 'History', exact: true })
  await history.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Settings history' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' })).toBeFocused()
  await pressEscape(page)
  await expect(history).toBeFocused()

  await page.getByLabel('Retries on failure', { exact: true }).fill('3')
  const save = page.getByRole('button', { name: 'Save General' })
  await save.press('Enter')
  await expectToast(page, 'Update succeeded')
  await expect(save).toBeEnabled()
  await expect(save).toBeFocused()
  for (const time of ['first', 'again', 'once more']) {
    await save.press('Enter')
    const toast = page.locator('.bp6-toast:not([data-seen])').filter({ hasText: 'have changed anything' })
    await expect(toast, time).toBeVisible()
    await toast.evaluate((element) => element.setAttribute('data-seen', ''))
  }
  // The response may arrive while the browser removes the focus.
  await save.evaluate((button: HTMLButtonElement) => {
    button.addEventListener('focusout', () => button.removeAttribute('disabled'), { once: true })
    button.disabled = true
  })
  await expect(save).toBeEnabled()
  await expect(save).toBeFocused()
  // If the response takes long and the page changes, the surrounding element has the focus until then.
  await save.evaluate((button: HTMLButtonElement) => {
    button.addEventListener('focusout', () => button.after(''), { once: true })
    button.disabled = true
  })
  await expect(page.locator('main :focus:not(button)')).toBeVisible()
  await save.evaluate((button: HTMLButtonElement) => {
    button.disabled = false
  })
  await expect(save).toBeFocused()
  const reset = page.getByRole('button', { name: 'Reset Retries on failure to its default' })
  for (const time of ['first', 'second']) {
    await reset.press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await pressEscape(page)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(reset, time).toBeFocused()
  }

  await page.goto(`${fixture.gateway.url}/channel`)
  await page.getByRole('button', { name: 'Actions for main' }).press('Enter')
  await expect(page.getByRole('menu').getByRole('menuitem').first()).toBeFocused()
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).press('Enter')
  await expect(page.getByRole('heading', { name: 'Channels', level: 1 })).toBeFocused()
})

test('a dialog that fades out does not take the focus from another element', async ({ page }) => {
  await page.goto(`${fixture.gateway.url}/log`)
  const dialog = page.getByRole('dialog', { name: 'Saved filters' })
  await page.getByRole('button', { name: 'Saved filters' }).click()
  await dialog.waitFor()
  await pressEscape(page)
  const model = page.getByLabel('Model', { exact: true })
  await model.focus()
  await expect(dialog).toHaveCount(0)
  await expect(model).toBeFocused()
})
