"""One command: the figures of a text."""

from __future__ import annotations

import math
import re
from collections import Counter

from pydantic import Field
from tool_package_sdk import Arguments, Retryable, Tools

MAX_CHARACTERS = 100_000

tools = Tools()

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?…。！？]+(?=\s|$|[\"'”’)])|[。！？]")


class TextStats(Arguments):
    text: str = Field(min_length=1, max_length=MAX_CHARACTERS, description="The text to measure.")
    top_words: int = Field(
        default=5, ge=0, le=50, description="How many of the most frequent words to list, of four letters or more."
    )


@tools.command(
    name="text_stats",
    description=(
        "Counts the characters, words, sentences and paragraphs of a text, estimates its reading time, and lists its "
        "most frequent words. Use when asked how long, how varied or how readable a text is. Do not use it to "
        "summarise or to correct a text. Takes at most 100,000 characters."
    ),
    triggers=["asked for the word count or reading time of a text", "comparing the length of two drafts"],
    examples=[{"input": "How many words are in 'The cat sat.'?", "arguments": {"text": "The cat sat."}}],
    returns={"type": "object", "description": "Counts, mean lengths, reading time in minutes and frequent words."},
    errors=[
        {
            "code": "EXIT_2",
            "description": "The text holds no words, or an argument is not valid.",
            "resolution": "Send a text with words in it, as a JSON string.",
        }
    ],
)
def text_stats(args: TextStats) -> dict:
    words = _WORD.findall(args.text)
    if not words:
        raise Retryable("text holds no words; send a text with words in it")
    sentences = max(1, len(_SENTENCE_END.findall(args.text)))
    paragraphs = [part for part in re.split(r"\n\s*\n", args.text) if part.strip()]
    folded = [word.casefold() for word in words]
    frequent = Counter(word for word in folded if len(word) >= 4).most_common()
    frequent.sort(key=lambda pair: (-pair[1], pair[0]))
    return {
        "characters": len(args.text),
        "words": len(words),
        "distinct_words": len(set(folded)),
        "sentences": sentences,
        "paragraphs": len(paragraphs),
        "mean_word_length": round(sum(map(len, words)) / len(words), 2),
        "mean_sentence_length": round(len(words) / sentences, 2),
        "reading_minutes": math.ceil(len(words) / 23.8) / 10,
        "frequent_words": [{"word": word, "count": count} for word, count in frequent[: args.top_words]],
    }


def main() -> None:
    tools.main()
