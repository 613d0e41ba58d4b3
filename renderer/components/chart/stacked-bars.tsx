import './chart.css'
import { scaleBand, scaleLinear } from 'd3-scale'
import { stack } from 'd3-shape'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { ChartTip } from './chart-tip.tsx'
import { fillOf, partsAt, type Series, totalAt } from './series.ts'

type StackedBarsProps = Readonly<{
  label: string
  titles: readonly string[]
  series: readonly Series[]
  format: (value: number) => string
  formatTick: (value: number) => string
  nothing: string
  /** Explains the effect of a click, of Enter and of a selection. */
  hint: string
  /** Opens a point, or the part of it that was clicked. */
  onOpen: (index: number, part: string | undefined) => void
  /** Shows only these points, from the first to the last. */
  onZoom: (first: number, last: number) => void
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
  const { label, titles, series, format, nothing, hint } = props
  const [box, width] = useWidth()
  const scale = scaleBand<number>(
    titles.map((_, index) => index),
    [MARGIN.left, Math.max(width - MARGIN.right, MARGIN.left + 1)],
  ).padding(titles.length > MANY_BARS ? 0.05 : 0.25)
  const centre = (index: number) => (scale(index) ?? 0) + scale.bandwidth() / 2
  const { activeIndex, selected, handlers } = usePointing(props, scale.step())
  const shown = activeIndex ?? titles.length - 1
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
      aria-description={hint}
      {...handlers}
    >
      {width > 0 && <Drawing {...props} {...{ width, activeIndex, selected, scale }} />}
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

/**
 * The point under the pointer or reached by keys, the selection of several, and the handlers for both. `step` is the
 * distance between adjacent points in pixels.
 */
function usePointing({ titles, series, onOpen, onZoom }: StackedBarsProps, step: number) {
  const last = titles.length - 1
  const [active, setActive] = useState<number>()
  const [anchor, setAnchor] = useState<number>()
  const activeIndex = active === undefined ? undefined : Math.min(active, last)
  const shown = activeIndex ?? last
  const selected = selectionOf(anchor, activeIndex)
  const indexAt = (event: MouseEvent<HTMLDivElement>): number | undefined => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    const index = Math.floor((x - MARGIN.left) / step)
    return index >= 0 && index <= last ? index : undefined
  }
  const leave = () => {
    setActive(undefined)
    setAnchor(undefined)
  }
  const zoom = ({ first, last: end }: Selection) => {
    setAnchor(undefined)
    onZoom(first, end)
  }
  const handlers = {
    onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Enter' && selected) return zoom(selected)
      if (event.key === 'Enter' && totalAt(series, shown) > 0) return onOpen(shown, undefined)
      const next = steps[event.key]?.(shown, last)
      if (next === undefined) return
      event.preventDefault()
      setAnchor(event.shiftKey ? (anchor ?? shown) : undefined)
      setActive(Math.min(Math.max(next, 0), last))
    },
    onFocus: () => setActive((known) => known ?? last),
    onBlur: leave,
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      if (event.pointerType !== 'touch' && event.button === 0) setAnchor(indexAt(event))
    },
    onPointerMove(event: PointerEvent<HTMLDivElement>) {
      if (event.pointerType !== 'touch') setActive(indexAt(event))
    },
    onPointerLeave(event: PointerEvent<HTMLDivElement>) {
      if (event.pointerType !== 'touch') leave()
    },
    onClick(event: MouseEvent<HTMLDivElement>) {
      if (selected) return zoom(selected)
      setAnchor(undefined)
      const index = indexAt(event)
      if (index === undefined || totalAt(series, index) === 0) return
      const part = event.target instanceof Element ? event.target.closest('[data-part]') : null
      // A finger cannot point: its first tap shows the values.
      if (index !== activeIndex) setActive(index)
      else onOpen(index, part?.getAttribute('data-part') ?? undefined)
    },
  }
  return { activeIndex, selected, handlers }
}

type Selection = Readonly<{ first: number; last: number }>

/** The points from one to another; undefined for a single one. */
const selectionOf = (anchor: number | undefined, end: number | undefined): Selection | undefined =>
  anchor === undefined || end === undefined || anchor === end
    ? undefined
    : { first: Math.min(anchor, end), last: Math.max(anchor, end) }

/** With more points than this, bars are closer together. */
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
  Readonly<{
    width: number
    activeIndex: number | undefined
    selected: Selection | undefined
    scale: ReturnType<typeof scaleBand<number>>
  }>

function Drawing({ titles, series, formatTick, width, activeIndex, selected, scale }: DrawingProps) {
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
          x={scale(selected?.first ?? activeIndex)}
          y={MARGIN.top}
          width={scale.bandwidth() + scale.step() * (selected ? selected.last - selected.first : 0)}
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
