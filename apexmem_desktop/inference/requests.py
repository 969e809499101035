"""What a language model is asked and what it gives back: values that cross the process border."""

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a prompt. `role` is "system", "user" or "assistant"."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """One prompt and how it is to be continued.

    Attributes:
        messages: The prompt. Their text is data: a control token written in it stays text.
        static_messages: How many of the first messages stay the same from request to request;
            what the model computed for them is kept and shared.
        grammar: GBNF text, or a JSON schema (starts with "{"), that the reply must follow.
        max_tokens: Most tokens of output.
        temperature: 0 takes the most probable token; above 0 draws, with a fixed seed.
        stop: Texts that end the reply; they are not part of it.
        choices: When given, nothing is generated: the probability of each as the reply is told.
        answer_start: What the reply is made to begin with. It belongs to the prompt: it is not in
            the returned text, and the grammar is about what follows it.
        withheld: What the reply may not begin with; how probable that was is told.
        adapted: Whether the adapter answers, for the task that it was trained on.
    """

    messages: tuple[Message, ...]
    static_messages: int = 0
    grammar: str = ""
    max_tokens: int = 256
    temperature: float = 0.0
    stop: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    answer_start: str = ""
    withheld: str = ""
    adapted: bool = False

    @property
    def schema_sha256(self) -> str:
        """Digest of what the reply may be: its grammar or schema, or its choices; "" when any."""
        if not (self.grammar or self.choices):
            return ""
        shape = json.dumps([self.grammar, self.choices], ensure_ascii=False)
        return hashlib.sha256(shape.encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """Give the request as plain JSON values."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "GenerateRequest":
        """Take the request from what `to_json` gave, after its way through JSON."""
        return cls(
            messages=tuple(Message(one["role"], one["text"]) for one in data["messages"]),
            static_messages=data["static_messages"],
            grammar=data["grammar"],
            max_tokens=data["max_tokens"],
            temperature=data["temperature"],
            stop=tuple(data["stop"]),
            choices=tuple(data["choices"]),
            answer_start=data["answer_start"],
            withheld=data["withheld"],
            adapted=data["adapted"],
        )


@dataclass(frozen=True, slots=True)
class Generation:
    """A reply and what it cost.

    Attributes:
        finish: "stop" (the model or a stop text ended it), "length" (max_tokens, or it went in
            circles) or "cancelled".
        prompt_tokens: Length of the prompt, kept parts included.
        ms: Milliseconds from the moment its own work began.
        mean_logprob: Mean natural logarithm of the probability the model itself gave to each
            output token, before any grammar; 0.0 without output.
        choice_probabilities: Probability of each choice, together 1.
        choice_mass: Probability that the model says any of the choices at all; times it, the
            above are true probabilities.
        withheld_probability: Of the first token of what was withheld.
        reused_tokens: How many prompt tokens cost nothing, because they were kept.
    """

    text: str
    finish: str
    prompt_tokens: int = 0
    output_tokens: int = 0
    ms: int = 0
    mean_logprob: float = 0.0
    choice_probabilities: dict[str, float] = field(default_factory=dict)
    choice_mass: float = 0.0
    withheld_probability: float = 0.0
    reused_tokens: int = 0


@dataclass(frozen=True, slots=True)
class ModelTime:
    """What all calls of one model took together.

    Attributes:
        waited_s: Seconds until their replies were there, loading the model included.
        decode_s: Of these, the seconds inside llama_decode.
        decoded_tokens: Tokens it computed: prompts without their kept parts, and replies.
    """

    waited_s: float = 0.0
    decode_s: float = 0.0
    decoded_tokens: int = 0

    def plus(self, waited_s: float, decode_s: float, decoded_tokens: int) -> "ModelTime":
        """Add one call."""
        return ModelTime(
            self.waited_s + waited_s,
            self.decode_s + decode_s,
            self.decoded_tokens + decoded_tokens,
        )

    def since(self, earlier: "ModelTime") -> "ModelTime":
        """Give what came after an earlier look."""
        return ModelTime(
            self.waited_s - earlier.waited_s,
            self.decode_s - earlier.decode_s,
            self.decoded_tokens - earlier.decoded_tokens,
        )
