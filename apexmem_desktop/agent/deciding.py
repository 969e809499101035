"""What the model is asked at each turn of the loop, and how its reply is read."""

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import chain

from apexmem_desktop.agent import tools
from apexmem_desktop.agent.board import Board
from apexmem_desktop.domain.answers import ALL_TOOLS, Step
from apexmem_desktop.inference.language import GenerateRequest, Generation, Message
from apexmem_desktop.inference.prompts import load_prompt

ANSWER, SUPPORT = "answer", "support"
# The line of the instructions in whose place the tools are described.
TOOLS_LINE = "{tools}"
MAX_TOKENS = 110
MAX_STEP_CHARS = 900

# The reply is an answer with its turns, one tool call, or "unknown": nothing else can be written.
_GRAMMAR = r"""
root ::= answer | call | "unknown"
answer ::= "turns: " number (", " number){0,4} "\nanswer: " line
number ::= [1-9] [0-9]?
call ::= $calls
line ::= [^\n]{1,220}
sql ::= plain (literal plain?){0,6}
plain ::= [^'\n]{1,120}
literal ::= "'" ($literals) "'"
"""
_CALLS = {
    "Search": '"Search: " line',
    "EntityLookup": '"EntityLookup: " line',
    "GraphSQL": '"GraphSQL: SELECT " sql',
    "SchemaViewer": '"SchemaViewer"',
}
# A question of yes or no is answered by one of them first.
_YES_NO_LINE = 'answer: " ("Yes" | "No" | "是" | "没有" | "不是") (", " line)?'
_CALL = re.compile(r"(Search|EntityLookup|GraphSQL|SchemaViewer)(?:: )?(.*)")


@dataclass(frozen=True, slots=True)
class Decision:
    """What the model wants: an answer with its turns, a tool, or neither.

    Attributes:
        numbers: The board's numbers of the turns that it answers from.
    """

    answer: str = ""
    numbers: tuple[int, ...] = ()
    tool: str = ""
    argument: str = ""


def decide_request(
    question: str,
    today: str,
    board: Board,
    steps: Sequence[Step],
    *,
    may_call: bool,
    yes_no: bool,
    new: int,
    subject_ids: Collection[int] = (),
    allowed: Collection[str] = ALL_TOOLS,
    literals: Collection[str] = (),
) -> GenerateRequest:
    """Ask what to do next: answer, call a tool, or give up.

    Args:
        steps: The model's own calls so far.
        may_call: False leaves an answer or "unknown".
        new: How many turns the last call added to the board.
        subject_ids: Entities whose facts are shown.
        literals: What a query may quote: names, properties, values and days that there are. A
            small model else makes up a property, and finds nothing.
    """
    static = static_part(allowed)
    *_, asked = load_prompt(ANSWER).render(
        today=today,
        question=question,
        facts=board.fact_lines(subject_ids),
        turns=board.turn_lines(newest=new),
        steps="".join(_told(step) for step in steps),
    )
    return GenerateRequest(
        messages=(*static, asked),
        static_messages=len(static),
        grammar=_grammar(allowed if may_call else (), literals, yes_no=yes_no),
        max_tokens=MAX_TOKENS,
    )


def static_part(allowed: Collection[str]) -> tuple[Message, ...]:
    """Give the instructions and the worked examples for these tools; no other tool is in them.

    They stay the same while `may_call` changes: the model's cache keeps them.
    """
    system, *examples = load_prompt(ANSWER).static
    pairs = zip(examples[::2], examples[1::2], strict=True)
    told = [pair for pair in pairs if _tool_of(pair[1].text) in (*allowed, "")]
    return (Message(system.role, _instructions(system.text, allowed)), *chain(*told))


def _instructions(text: str, allowed: Collection[str]) -> str:
    lines = text.splitlines()
    at = lines.index(TOOLS_LINE)
    described = tools.described(allowed)
    # Without any tool, what introduces them goes too.
    before = lines[:at] if described else lines[: at - 1]
    return "\n".join([*before, *described, *lines[at + 1 :]])


def _tool_of(reply: str) -> str:
    call = _CALL.match(reply)
    return call.group(1) if call else ""


def _grammar(allowed: Collection[str], literals: Collection[str], *, yes_no: bool) -> str:
    grammar = _GRAMMAR if allowed else _GRAMMAR.replace("answer | call |", "answer |")
    calls = " | ".join(call for tool, call in _CALLS.items() if tool in allowed)
    quoted = " | ".join(_in_grammar(one) for one in dict.fromkeys(literals) if one)
    grammar = grammar.replace("$calls", calls or "answer")
    grammar = grammar.replace("$literals", quoted or "[^'\\n]{1,40}")
    return grammar.replace('answer: " line', _YES_NO_LINE) if yes_no else grammar


def _in_grammar(literal: str) -> str:
    """Quote one for the grammar; SQL doubles an apostrophe."""
    text = " ".join(literal.split()).replace("'", "''")
    return json.dumps(text, ensure_ascii=False)


def _told(step: Step) -> str:
    """What an earlier call of the model's gave; turns that it found are on the board already."""
    if step.error:
        return f"\n{step.tool}: {step.arguments}\nError: {step.error[:MAX_STEP_CHARS]}"
    result = "(see the turns above)" if step.tool == "Search" else step.result[:MAX_STEP_CHARS]
    return f"\n{step.tool}: {step.arguments}\nResult: {result}"


def read_decision(reply: Generation) -> Decision:
    """Read the model's reply; what is cut off or of no shape is "neither"."""
    text = reply.text
    if reply.finish != "stop":
        return Decision()
    if text.startswith("turns: "):
        first, _, rest = text.partition("\n")
        numbers = tuple(int(n) for n in re.findall(r"\d+", first))
        return Decision(answer=rest.removeprefix("answer: ").strip(), numbers=numbers)
    call = _CALL.match(text.strip())
    if call is None:
        return Decision()
    return Decision(tool=call.group(1), argument=call.group(2).strip())


def support_request(question: str, answer: str, proof: str) -> GenerateRequest:
    """Ask whether the proof really tells the answer."""
    prompt = load_prompt(SUPPORT)
    return GenerateRequest(
        messages=prompt.render(question=question, answer=answer, proof=proof),
        static_messages=len(prompt.static),
        choices=("yes", "no"),
    )
