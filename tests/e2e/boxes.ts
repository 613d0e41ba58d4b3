import { expect, type Locator } from '@playwright/test'

/** Where an element is drawn. */
export type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>

/** Expects elements to be drawn, and their boxes to come to be as a check expects them. */
export async function expectBoxes(elements: readonly Locator[], check: (...boxes: Box[]) => void): Promise<void> {
  await expect(async () => {
    const boxes = await Promise.all(elements.map((element) => element.boundingBox()))
    check(...boxes.map((box, place) => box ?? notDrawn(elements[place])))
  }).toPass()
}

const notDrawn = (element: unknown): never => {
  throw new Error(`${element} is not drawn`)
}

/** How far down and to the right a box reaches. */
export const bottomOf = ({ y, height }: Box): number => y + height
export const rightOf = ({ x, width }: Box): number => x + width
