import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import type { Count } from "./usage-rows.ts";

const height = 220;
/** In seconds. */
const hour = 3_600;
const dark = matchMedia("(prefers-color-scheme: dark)");

/** The counts of each hour: bars for requests, lines for those past the allowance and for errors. */
export function UsageChart({ counts, label }: { counts: readonly Count[]; label: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [isDark, setDark] = useState(dark.matches);
  useEffect(() => {
    const onChange = () => setDark(dark.matches);
    dark.addEventListener("change", onChange);
    return () => dark.removeEventListener("change", onChange);
  }, []);
  // The canvas takes its colors when it is drawn, so it is drawn again when they change.
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const chart = new uPlot(optionsFor(element), dataOf(counts), element);
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [counts, isDark]);
  return (
    <figure>
      <div ref={place} class="chart" role="img" aria-label={label} />
      <figcaption class="legend" aria-hidden="true">
        <span class="requests">Requests</span> <span class="refused">Past the allowance</span>{" "}
        <span class="errors">Errors</span>
      </figcaption>
    </figure>
  );
}

function dataOf(counts: readonly Count[]): uPlot.AlignedData {
  return [
    counts.map(({ start }) => Date.parse(start) / 1_000),
    counts.map(({ requests }) => requests),
    counts.map(({ rateLimited }) => rateLimited),
    counts.map(({ errors }) => errors),
  ];
}

function optionsFor(element: HTMLElement): uPlot.Options {
  const style = getComputedStyle(element);
  const color = (name: string) => style.getPropertyValue(`--${name}`);
  const axis = { stroke: color("muted"), grid: { stroke: color("line"), width: 1 }, ticks: { stroke: color("line") } };
  const line = (name: string, dash: number[]): uPlot.Series => ({
    stroke: color(name),
    width: 2,
    dash,
    points: { show: false },
  });
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      // A bar is drawn from the start of its hour to its end: without that hour, the last bar would be outside.
      x: { range: (_chart, first, last) => [first, last + hour] },
      y: { range: (_chart, _least, most) => [0, Math.max(5, Math.ceil(most * 1.1))] },
    },
    axes: [
      axis,
      { ...axis, size: 56, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 100_000] },
    ],
    series: [
      {},
      {
        stroke: color("series-requests"),
        fill: color("series-requests"),
        ...(uPlot.paths.bars && { paths: uPlot.paths.bars({ size: [0.8, 40], align: 1 }) }),
        points: { show: false },
      },
      line("series-refused", [6, 4]),
      line("series-errors", []),
    ],
  };
}
