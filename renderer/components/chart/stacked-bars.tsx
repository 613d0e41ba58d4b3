import './chart.css'
import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import { type KeyboardEvent, type MouseEvent, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { ChartTip } from './chart-tip.tsx'
import { fillOf, partsAt, type Series, totalAt } from './series.ts'

type StackedBarsProps = Readonly<{
  label: string
  titles: readonly string[]
  series: readonly Series[]
  format: (value: number) => string
  formatTick: (value: number) => string
  nothing: string
  /** What a click or Enter does. */
  hint: string
  /** Opens a point, or the part of it that was clicked. */
  onOpen: (index: number, part: string | undefined) => void
}>

const HEIGHT = 280
const MARGIN = { top: 8, right: 8, bottom: 28, left: 64 }
const TICKS = 5
const LABEL_WIDTH = 96
const GAP = 32

/**
 * Stacked bars over time. A single tab stop: the arrow keys move between points, and a point's parts are its value
 * text (docs/reference/dashboard.md#charts).
 */
export function StackedBars(props: StackedBarsProps) {
  const { label, titles, series, format, nothing, hint, onOpen } = props
  const [box, width] = useWidth()
  const [active, setActive] = useState<number>()
  const activeIndex = active === undefined ? undefined : Math.min(active, titles.length - 1)
  const scale = scaleBand<number>(
    titles.map((_, index) => index),
    [MARGIN.left, Math.max(width - MARGIN.right, MARGIN.left + 1)],
  ).padding(titles.length > MANY_BARS ? 0.05 : 0.25)
  const centre = (index: number) => (scale(index) ?? 0) + scale.bandwidth() / 2
  const shown = activeIndex ?? titles.length - 1
  const walk = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && totalAt(series, shown) > 0) return onOpen(shown, undefined)
    const next = steps[event.key]?.(activeIndex ?? titles.length - 1, titles.length - 1)
    if (next === undefined) return
    event.preventDefault()
    setActive(Math.min(Math.max(next, 0), titles.length - 1))
  }
  const indexAt = (event: MouseEvent<HTMLDivElement>): number | undefined => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    const index = Math.floor((x - MARGIN.left) / scale.step())
    return index >= 0 && index < titles.length ? index : undefined
  }
  const press = (event: MouseEvent<HTMLDivElement>) => {
    const index = indexAt(event)
    if (index === undefined || totalAt(series, index) === 0) return
    const part = event.target instanceof Element ? event.target.closest('[data-part]') : null
    // A finger cannot point: its first tap shows the values.
    if (index !== activeIndex) setActive(index)
    else onOpen(index, part?.getAttribute('data-part') ?? undefined)
  }
  return (
    <div
      ref={box}
      className="chart chart-bars"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={titles.length}
      aria-valuenow={shown + 1}
      aria-valuetext={`${titles[shown] ?? ''}: ${valueText(series, shown, format, nothing)}`}
      onKeyDown={walk}
      onFocus={() => setActive((known) => known ?? titles.length - 1)}
      onBlur={() => setActive(undefined)}
      aria-description={hint}
      onPointerMove={(event) => event.pointerType !== 'touch' && setActive(indexAt(event))}
      onPointerLeave={(event) => event.pointerType !== 'touch' && setActive(undefined)}
      onClick={press}
    >
      {width > 0 && <Drawing {...props} width={width} activeIndex={activeIndex} scale={scale} />}
      {activeIndex !== undefined && width > 0 && (
        <ChartTip
          title={titles[activeIndex] ?? ''}
          series={series}
          activeIndex={activeIndex}
          format={format}
          hint={hint}
          x={centre(activeIndex)}
          width={width}
        />
      )}
    </div>
  )
}

/** From this many points on, bars are closer together. */
const MANY_BARS = 60
const PAGE = 7

const steps: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowLeft: (index) => index - 1,
  ArrowDown: (index) => index - 1,
  ArrowRight: (index) => index + 1,
  ArrowUp: (index) => index + 1,
  PageDown: (index) => index - PAGE,
  PageUp: (index) => index + PAGE,
  Home: () => 0,
  End: (_, last) => last,
}

type DrawingProps = StackedBarsProps &
  Readonly<{ width: number; activeIndex: number | undefined; scale: ReturnType<typeof scaleBand<number>> }>

function Drawing({ titles, series, formatTick, width, activeIndex, scale }: DrawingProps) {
  const max = Math.max(...titles.map((_, index) => totalAt(series, index)), 0)
  const heights = scaleLinear([0, max || 1], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(TICKS)
  const every = Math.max(1, Math.ceil((titles.length * (LABEL_WIDTH + GAP)) / (width - MARGIN.left - MARGIN.right)))
  return (
    <svg width={width} height={HEIGHT} aria-hidden>
      {heights.ticks(max === 0 ? 1 : TICKS).map((value) => (
        <g key={value}>
          <line
            className="chart-line"
            x1={MARGIN.left}
            x2={width - MARGIN.right}
            y1={heights(value)}
            y2={heights(value)}
          />
          <text x={MARGIN.left - 8} y={heights(value)} dy="0.32em" textAnchor="end">
            {formatTick(value)}
          </text>
        </g>
      ))}
      {activeIndex !== undefined && (
        <rect
          className="chart-mark"
          x={scale(activeIndex)}
          y={MARGIN.top}
          width={scale.bandwidth()}
          height={HEIGHT - MARGIN.top - MARGIN.bottom}
        />
      )}
      <Parts titles={titles} series={series} scale={scale} heights={heights} />
      {titles.map((title, index) =>
        (titles.length - 1 - index) % every === 0 ? (
          <text
            key={title}
            x={Math.min((scale(index) ?? 0) + scale.bandwidth() / 2, width - LABEL_WIDTH / 2 + MARGIN.right)}
            y={HEIGHT - 8}
            textAnchor="middle"
          >
            {title}
          </text>
        ) : null,
      )}
    </svg>
  )
}

type PartsProps = Pick<DrawingProps, 'titles' | 'series' | 'scale'> & Readonly<{ heights: (value: number) => number }>

function Parts({ titles, series, scale, heights }: PartsProps) {
  const points = titles.map((_, index) => index)
  const layers = stack<unknown, number, Series>()
    .keys(series)
    .value((index, { values }) => values[index] ?? 0)(points)
  return layers.map((layer) => (
    <g key={layer.key.name} data-part={layer.key.name} fill={fillOf(layer.key.colour)}>
      {layer.map(([from, to], index) =>
        to > from ? (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its position
            key={index}
            className="chart-part"
            x={scale(index)}
            y={heights(to)}
            width={scale.bandwidth()}
            height={Math.max(heights(from) - heights(to), 0)}
          />
        ) : null,
      )}
    </g>
  ))
}

const MAX_SPOKEN = 5

function valueText(
  series: readonly Series[],
  index: number,
  format: (value: number) => string,
  nothing: string,
): string {
  const parts = partsAt(series, index)
  if (parts.length === 0) return nothing
  const named = parts.slice(0, MAX_SPOKEN).map(({ name, value }) => `${name} ${format(value)}`)
  return [format(totalAt(series, index)), ...named].join(', ')
}

/** An element's current width in pixels; 0 until it is measured. */
function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => setWidth(Math.floor(element.clientWidth))
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [box, width]
}
