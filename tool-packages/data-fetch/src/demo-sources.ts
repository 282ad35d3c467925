import sales from './demo-sales.csv';

/** Tables inside the package: invented sales of four regions over 24 months. */
export const DEMO_SOURCES: ReadonlyMap<string, string> = new Map([['demo:sales', sales]]);
