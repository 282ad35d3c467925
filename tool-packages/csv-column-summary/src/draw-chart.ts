import { BarChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

import { countBins } from './count-bins.ts';
import type { ChartData, ChartKind } from './read-series.ts';

use([BarChart, LineChart, ScatterChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer]);

const WIDTH = 960;
const HEIGHT = 560;
/** Told apart also by readers who do not see all colours (after Okabe and Ito, darkened for white paper). */
const COLOURS = [
  '#0072b2',
  '#d55e00',
  '#009e73',
  '#c25a92',
  '#b8860b',
  '#3c8dbc',
  '#5b4a9e',
  '#6b6b6b',
  '#8c3b1f',
  '#2f6f4f',
  '#a63d6e',
  '#4f7cac',
];
const INK = '#26323d';
const FAINT = '#e3e8ec';
const FONT = 'Helvetica, Arial, sans-serif';

/** Characters that XML 1.0 cannot hold, even escaped. */
// oxlint-disable-next-line no-control-regex -- these are the characters to look for
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu;

interface ChartWish {
  readonly kind: ChartKind;
  readonly title: string;
  readonly x?: string;
  readonly y: string;
}

/** The chart as an SVG document. The same data give the same picture. */
export function drawChart(data: ChartData, wish: ChartWish): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height: HEIGHT });
  try {
    chart.setOption({
      ...frame(data, wish),
      ...(wish.kind === 'histogram' ? histogram(data, wish) : series(data, wish)),
    });
    return chart.renderToSVGString().replaceAll(NOT_XML, '\uFFFD');
  } finally {
    chart.dispose();
  }
}

function frame(data: ChartData, wish: ChartWish): object {
  const hasLegend = data.series.length > 1;
  return {
    animation: false,
    backgroundColor: '#ffffff',
    color: COLOURS,
    textStyle: { fontFamily: FONT, color: INK },
    title: {
      text: wish.title,
      left: 24,
      top: 18,
      textStyle: { fontSize: 19, fontWeight: 600, color: INK, width: WIDTH - 60, overflow: 'truncate' },
    },
    ...(hasLegend
      ? {
          legend: {
            left: 20,
            top: 50,
            icon: 'roundRect',
            itemWidth: 14,
            itemHeight: 8,
            textStyle: { fontSize: 13, color: INK },
          },
        }
      : {}),
    grid: {
      left: 24,
      right: 32,
      top: hasLegend ? 104 : 84,
      bottom: 48,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
  };
}

const AXIS_TEXT = {
  axisLabel: { color: INK, fontSize: 12, hideOverlap: true },
  axisLine: { lineStyle: { color: '#8a97a3' } },
  axisTick: { show: false },
};

function valueAxis(name: string | undefined, place: 'foot' | 'side') {
  const naming =
    place === 'foot'
      ? { nameLocation: 'middle', nameGap: 32 }
      : { nameLocation: 'end', nameGap: 14, nameTextStyle: { align: 'left', color: INK, fontSize: 12 } };
  return {
    type: 'value',
    name,
    scale: place === 'foot',
    ...naming,
    ...AXIS_TEXT,
    splitLine: { lineStyle: { color: FAINT } },
  };
}

function categoryAxis(name: string | undefined, categories: readonly string[]) {
  return {
    type: 'category',
    data: categories,
    name,
    nameLocation: 'middle',
    nameGap: 32,
    nameTextStyle: { color: INK, fontSize: 12 },
    ...AXIS_TEXT,
  };
}

function series(data: ChartData, { kind, x, y }: ChartWish): object {
  const isScatter = kind === 'scatter';
  return {
    xAxis: isScatter ? valueAxis(x, 'foot') : categoryAxis(x, data.categories),
    yAxis: { ...valueAxis(y, 'side'), scale: isScatter },
    series: data.series.map((one) => ({
      type: kind,
      name: one.name,
      data: isScatter ? one.points : one.values.map((value) => value ?? null),
      ...(kind === 'line'
        ? { symbol: 'circle', symbolSize: 6, lineStyle: { width: 2.5 }, connectNulls: false }
        : {}),
      ...(kind === 'bar' ? { barMaxWidth: 72, itemStyle: { borderRadius: [3, 3, 0, 0] } } : {}),
      ...(isScatter ? { symbolSize: 8, itemStyle: { opacity: 0.75 } } : {}),
    })),
  };
}

function histogram(data: ChartData, { y }: ChartWish): object {
  const bins = countBins((data.series[0]?.values ?? []).filter((value) => value !== undefined));
  return {
    xAxis: categoryAxis(
      y,
      bins.map(({ label }) => label),
    ),
    yAxis: valueAxis('rows', 'side'),
    series: [
      {
        type: 'bar',
        data: bins.map(({ count }) => count),
        barCategoryGap: '4%',
        itemStyle: { borderRadius: [3, 3, 0, 0] },
      },
    ],
  };
}
