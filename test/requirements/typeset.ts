/** Seed 1, items 19 to 33: the two skills that are compiled in. */
export const typesetRequirements = [
  { id: 'S1-19', text: 'create_pdf takes body, and optionally title and filename; nothing else' },
  {
    id: 'S1-20',
    text: 'create_pdf checks in the order and the words of the seed; a body of 12,000 characters is the longest',
  },
  {
    id: 'S1-22',
    text: 'a title is trimmed and cut to 160, a file name to 80; neither is refused for its length',
  },
  { id: 'S1-23', text: 'file names become what the vectors say' },
  {
    id: 'S1-24',
    text: 'create_pdf answers created, pages and a file of application/pdf; 43 lines fill a page',
  },
  {
    id: 'S1-25',
    text: 'every Unicode line break starts a line, blank lines stay, words are joined by one space',
  },
  { id: 'S1-26', text: 'the file is a well-formed PDF whatever the text' },
  { id: 'S1-27', text: 'no character is dropped: it is drawn or visibly replaced' },
  { id: 'S1-28', text: 'the largest outputs are bounded: 12,000 line breaks are 280 pages' },
  {
    id: 'S1-29',
    text: "the seed's defects are gone: accents print, nothing runs off the page, long titles wrap",
  },
  { id: 'S1-30', text: 'make_plan checks in the order and the words of the seed' },
  { id: 'S1-31', text: 'make_plan writes the goal and numbered steps, white space collapsed, as plan.txt' },
  { id: 'S1-32', text: 'make_plan keeps the plan as text in its output' },
  {
    id: 'S1-33',
    text: 'descriptions name arguments and limits, say when to call and when not, and agree with what is enforced',
  },
] as const;
