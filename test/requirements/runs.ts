/**
 * Seed 1 about the broker, its quotas, the allowlist of a run and the snapshot: items 2, 10 and 34 (seeds.md 1.1), the rows of
 * section 1.2 from JobPolicy on (B), and what section 1.3 makes of them.
 */
export const runsRequirements = [
  {
    id: 'S1-2',
    text: 'tools and skills have one registry, one policy, one list per run, one broker and its quotas',
  },
  {
    id: 'S1-B1',
    text: 'gates: operator policy, what is registered, the list of the run, the broker; each can only narrow',
  },
  { id: 'S1-B2', text: 'JobPolicy: a run has a set of exact refs that it may call, on every route' },
  {
    id: 'S1-B3',
    text: 'the set of a run is a snapshot, fixed when it starts; nothing registered later reaches it',
  },
  { id: 'S1-B4', text: 'ToolBroker: a quota of calls holds exactly, however many call at once' },
  { id: 'S1-B5', text: 'what is not approved is refused before the job starts, not at its first call' },
  {
    id: 'S1-B6',
    text: "the list of a run never expands a bundle; [] is nothing, absent is all of the caller's",
  },
  { id: 'S1-B7', text: 'a run knows its job: id, owner, list, quotas and end' },
  { id: 'S1-B8', text: 'timeouts: every call has a deadline, and a run a budget of time' },
  { id: 'S1-B9', text: 'byte caps: arguments, results and files are bounded in a call and in a run' },
  { id: 'S1-B10', text: 'a skill is counted like a tool: the same budgets, the same record' },
  {
    id: 'S1.3-14',
    text: 'a run fixes its tool set when it is made; without runs the snapshot is the process',
  },
  {
    id: 'D59',
    text: 'the list of a run: [], absent, a star, a bundle, twice, unknown, 100,000 entries, no text',
  },
  { id: 'N1', text: 'a quota of calls for each run, in all and by tool, with an error of its own' },
  { id: 'N2', text: 'budgets of bytes and time for each run' },
  {
    id: 'N8',
    text: 'an operator learns why a ref cannot be called in this run, and by which line of the policy',
  },
  { id: 'N11', text: 'an idempotency key: what runs is detected, other arguments are refused' },
] as const;
