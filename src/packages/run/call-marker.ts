/** The variable by which every process of a run is known, as long as it keeps its environment. */
export const CALL_MARKER = 'TOOL_CALL_ID';
