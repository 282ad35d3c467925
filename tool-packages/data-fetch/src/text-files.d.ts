/** The builder takes such files in as strings. */
declare module '*.csv' {
  const text: string;
  export default text;
}
